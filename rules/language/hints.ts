import { isQuoted } from './protected-text';
import { ROLE_WORD } from './role-words';
import { NOT_AN_ELEMENT } from './verbs/save';

/** What no action has: a condition in other words, a repetition without an end. */
export const CONDITION = new RegExp(
  '^(?:if|when|unless|while|until|for (?:each|every|all)|otherwise|else)\\b|\\s(?:if (?:it|there|the|you)|unless|otherwise|for each|for every)\\s|' +
    '^(?:click|press|tap|open|follow|hit|delete|remove|close|drag)\\s+(?:on\\s+)?(?:each|every)\\s|' +
    `^(?:click|press|tap|open|follow|hit|delete|remove|close|drag)\\s+(?:on\\s+)?all\\s+(?:the\\s+)?(?:\\S+\\s+)?(?:${ROLE_WORD})(?:s|es)$|` +
    '\\s(?:twice|(?:\\d+|two|three|four|five|ten) times)$|^(?:click|press|tap)\\s.*\\suntil\\s',
  'i',
);

/** Behind these words stands what is to be done after all, and not what stands before them. */
export const TAKES_BACK =
  /\b(?:(?:oh|ah|hm+),?\s+(?:no,?\s+)?|no\s+)wait\b|\bdecide\s+against\s+(?:it|that)\b|(?<=(?:^|[-–—,.;…]|\b(?:but|and|oh|no)\b)\s*)(?:never\s*mind|scratch\s+that|forget\s+(?:it|that))\b/i;

/** Why a clause is not understood, and what would be. */
export function hintFor(clause: string): { hint?: string } {
  const [, saved] = /^(?:save|remember|store|read|copy)\s+(.+)\s+(?:as|in|into|to)\s/i.exec(clause) ?? [];
  if (saved !== undefined && NOT_AN_ELEMENT.test(saved)) return { hint: 'Only text that the page shows can be saved.' };
  if (CONDITION.test(clause) || /\s(?:if|until|unless)\s/i.test(clause)) {
    return {
      hint: 'It has a condition or a repetition in words that I do not know; I know: if "X" is shown, click it; click "Next" until "X" is shown; press Tab 3 times.',
    };
  }
  if (/^(?:save|remember|store)\b.*\sas\s/i.test(clause)) {
    return {
      hint: 'The name to save under must be one word of letters, digits and _ that does not begin with a digit.',
    };
  }
  if (isQuoted(clause)) return { hint: 'It does not say what to do with that.' };
  return {};
}
