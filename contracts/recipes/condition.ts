import { z } from 'zod';

/** What a page has to show for a part of a step to be done, or for its repetition to end. All members hold together. */
export const RecipeConditionSchema = z.object({
  text: z.string().min(1).optional().meta({ description: 'Said by the page, or the name of the control' }),
  /** The control that the commands act on, which another text of the page is not. */
  isControl: z.literal(true).optional(),
  /** The text is the name of an element of one of these roles. */
  roles: z.array(z.string()).optional(),
  matchCase: z.literal(true).optional(),
  url: z.string().optional().meta({ description: 'Part of the address of the page' }),
  title: z.string().optional(),
  /** It has not to be shown. */
  absent: z.literal(true).optional(),
});
export type RecipeCondition = z.infer<typeof RecipeConditionSchema>;

/** How often a repetition is done at most, where its words do not say it. */
export const MOST_REPETITIONS = 20;

/** A condition in words, as in “if …” and “until …”. */
export function conditionText({ text, url, title, absent }: RecipeCondition): string {
  const what = [
    ...(text === undefined ? [] : [`“${text}”`]),
    ...(title === undefined ? [] : [`the title “${title}”`]),
    ...(url === undefined ? [] : [`the address ${url}`]),
  ];
  return `${what.join(' and ')} is ${absent === true ? 'not ' : ''}shown`;
}

const QUOTED = /"[^"]*"|“[^”]*”|„[^“”]*[“”]|«[^»]*»/g;
const WORDS = /\b(?:if|unless|until|till|otherwise|in case|whenever|while|as long as)\b/i;

/** Whether the words of a step, outside of quotes, say that a part of it depends on the page, or is repeated. */
export function hasCondition(instruction: string): boolean {
  return WORDS.test(instruction.replaceAll(QUOTED, ''));
}

const UNIT = 'days?|weeks?|weekends?|months?|quarters?|years?';
const NAMED_DAY = '(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday)s?';
const COUNT = '\\d+|an?|one|two|three|four|five|six|seven|eight|nine|ten|few|couple of';
const DAY = new RegExp(
  [
    '\\b(?:today|tonight|tomorrow|yesterday)\\b',
    `\\b(?:this|next|last|coming|past|previous|following) (?:${UNIT}|${NAMED_DAY})\\b`,
    `\\b(?:in|within|after|for) (?:the next )?(?:${COUNT}) (?:${UNIT})\\b`,
    `\\b(?:${COUNT}) (?:${UNIT}) (?:ago|from now|from today|ahead)\\b`,
  ].join('|'),
  'i',
);

/** Whether the words of a step, outside of quotes, mean another day each time: what a page shows does not say which. */
export function dependsOnDay(instruction: string): boolean {
  return DAY.test(instruction.replaceAll(QUOTED, ''));
}
