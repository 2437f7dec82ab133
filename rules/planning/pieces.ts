import type { PastIteration } from '../../contracts/model-port/port';
import { parseInstruction } from '../language/parse-instruction';
import { protectQuotes, restore } from '../language/protected-text';
import type { Action } from '../language/intent';
import { isVerb } from '../language/words';
import { notesOf } from './progress';

/** An action that the page showed to be several: their words, and the words of what was opened for it. */
export interface Split {
  index: number;
  pieces: string[];
  used: string[];
}

/** What joins two deeds that share a sentence: where it does, the page decides. */
const JOINT =
  /\s*[,;:]\s+(?:and\s+|also\s+)*|\s+and\s+(?:also\s+)?|\s+(?:&|\+|\/)\s+|\s+with\s+(?:the\s+)?|\s+(?:by|as|in)\s+(?=\S)|\s+(?=to\s+\S)/gi;
/** What joins things of one verb. */
const LISTS = /^(?:\s*[,;:]|\s+and\b|\s+[&+/])/i;
/** What follows in a list of more than two. */
const JOINED = /[,;&+]|\sand\s/i;
/** What gives controls their states and values: “tick red, blue”. */
const SETS =
  /^(?:un)?(?:tick|check|select|choose|pick|set|type|enter|write|put|fill|input|turn|switch|enable|disable|add)\b/i;
/** A time says which of several entries is meant. */
const TIME = /^\d{1,2}[:.]\d{2}\b/;
const MOST_JOINTS = 12;
const DEEPEST = 5;
const RENAMES = /^(?:rename|change|edit|correct|update|amend|relabel|call)\b/i;
/** “Mark it as paid” is no box that selects it, with something paid. */
const TICKS = /^(?:un)?(?:mark|tick|check|select|flag)\b/i;
/** What gives one value to one field. */
const GIVES = /^(?:enter|type|write|put|set|input|fill)\b/i;
/** What makes something new shows the form for it. */
const MAKES = /^(?:new|add|create|write|make|invite|quote|report|schedule)\b/i;
/** What is done in a form. */
const IN_FORM =
  /^(?:type|enter|write|put|input|fill|set|give|name|call|choose|select|pick|check|tick|untick|uncheck|switch|turn|attach|upload|add|save|store|apply|submit|send|confirm|create|press|click|tap|hit|assign|mark)\b/i;

/** What may follow something that was opened: a deed, or a value. “By 7” is neither: it says how much the deed does. */
function mayFollow(first: string, joint: string, rest: string): boolean {
  const isDeed = isVerb(/^[a-z]+/i.exec(rest)?.[0]?.toLowerCase() ?? '');
  if (/\bby\b/i.test(joint)) return isDeed;
  if (MAKES.test(first) && isDeed && !IN_FORM.test(rest)) return false;
  // “add an item, sunglasses, worth 120”: no field is named that the first of them would be of.
  const [next = ''] = rest.split(/[,;]\s/);
  if (!isDeed && next !== rest && !/[\uE000-\uEFFF:\d]/.test(next) && !/^to\s/i.test(next)) return false;
  return isDeed || /[\uE000-\uEFFF:\d]/.test(rest) || /^to\s/i.test(rest);
}
/** Something new is made of what was said before. */
export const MAKES_OF_IT = /^(?:add|create|enter|put|write|book|log|record|note)\s+(?:that|this|it)\b/i;
/** What only shows something, so that what is to be done there is seen after it. */
const OPENS =
  /^(?:open|edit|go to|go|show|view|visit|switch to|new|add|start|begin|create|reject|decline|rename|write|make|invite|reply|answer|respond|quote|forward|report|schedule)\b/i;

/** What is to be changed is opened by a button of that name, and gets its value in what that shows. */
export const CHANGES = /^(?:change|modify|correct|amend|adjust)\b/i;

/** What is only typed answers nobody, and which button sends it is not said. */
const ANSWERS = /^(?:answer|reply|respond)\b/i;

/** The actions of a step, with those that were split on the page in place of the whole. */
export function withPieces(actions: readonly Action[], pastIterations: readonly PastIteration[]): Action[] {
  return pastIterations.flatMap((iteration) => notesOf(iteration).splits).reduce(applySplit, [...actions]);
}

export function applySplit(actions: readonly Action[], { index, pieces, used }: Split): Action[] {
  const whole = actions[index];
  const own = pieces.flatMap((piece) => {
    const parsed = parseInstruction(piece);
    return parsed.kind === 'actions' ? parsed.actions : [];
  });
  const made = own.map((action): Action => {
    const about = [whole?.about, action.about].filter(Boolean).join(' ');
    return { ...action, ...(about !== '' && { about }), ...(used.length > 0 && { used }) };
  });
  return actions.flatMap((action, at) => (at === index ? made : [action]));
}

/** The pieces of an action that is none as a whole: each can be done on this page, or follows what only shows something. */
export function splitOn(
  action: Action,
  isDoable: (pieces: readonly Action[]) => boolean,
  isLast: boolean,
): string[] | undefined {
  const { text, spans } = protectQuotes(action.core ?? action.said);
  // “Lucia was off on Thursday, so add that as sick”: what was said before would be left out.
  if (MAKES_OF_IT.test(text)) return undefined;
  const word = /^[a-z]+\b/i.exec(text)?.[0] ?? '';
  // “recipient Ann, every year” says no recipient twice.
  const verb = isVerb(word.toLowerCase()) ? word : undefined;
  const actionsOf = (piece: string): Action[] => {
    const parsed = parseInstruction(restore(piece, spans));
    return parsed.kind === 'actions' ? parsed.actions : [];
  };
  const known = new Map<string, boolean>();
  const isReadable = (piece: string): boolean => {
    const before = known.get(piece);
    if (before !== undefined) return before;
    const actions = actionsOf(piece);
    // “amount 12.00, every year”: a comma without quotes parts two things, of which one is not known.
    const made = !/,\s/.test(piece) && actions.length > 0 && isDoable(actions);
    known.set(piece, made);
    return made;
  };
  const split = (whole: string, depth: number): string[] | undefined => {
    if (depth > 0 && isReadable(whole)) return [whole];
    if (depth >= DEEPEST) return undefined;
    for (const { index, 0: joint } of [...whole.matchAll(JOINT)].slice(0, MOST_JOINTS)) {
      if (/^\s+$/.test(joint) && !RENAMES.test(whole)) continue;
      if (/\bas\b/i.test(joint) && TICKS.test(whole)) continue;
      const [first, rest] = [whole.slice(0, index).trim(), whole.slice(index + joint.length).trim()];
      if (first === '' || rest === '' || !isReadable(first)) continue;
      // “enter 81 for Ben in Test 2”: a place is pressed by nobody.
      if (
        /^\s+in\s/i.test(joint) &&
        GIVES.test(first) &&
        !isVerb(/^[a-z]+/.exec(rest)?.[0] ?? '') &&
        !/[\uE000-\uEFFF:]/.test(rest)
      )
        continue;
      // The verb is of each thing of a list, and not of a place: “delete A in B” deletes no B.
      const isListed = LISTS.test(joint) && verb !== undefined && !TIME.test(rest);
      // “approve the request of 15 May, 7A Maths”: two things have an “and” between them, and this says more of one.
      const isMore = depth === 0 && joint.includes(',') && !SETS.test(text) && !JOINED.test(rest);
      const others = split(rest, depth + 1) ?? (isListed && !isMore ? split(`${verb} ${rest}`, depth + 1) : undefined);
      if (others !== undefined) return [first, ...others];
      const isOpened = OPENS.test(first) || (CHANGES.test(first) && /^to\s/i.test(rest));
      if (isOpened && actionsOf(rest).length > 0 && mayFollow(first, joint, rest))
        return isLast && ANSWERS.test(first) && /^[\uE000-\uEFFF]$/.test(rest) ? undefined : [first, rest];
    }
    return undefined;
  };
  return split(text, 0)?.map((piece) => restore(piece, spans));
}
