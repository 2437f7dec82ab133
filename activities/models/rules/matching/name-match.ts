import { ancestors, LONGEST_LABEL, type Item } from './page-index';

/** How well a name matches an item; 1 is strongest. */
export const LEVELS = [1, 2, 3, 4, 5] as const;
export type Level = (typeof LEVELS)[number];

/** Normalizes text for the comparison of names: case, whitespace, quotes, and the marks that forms put after labels. */
export function normal(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[‘’`´]/g, "'")
    .replace(/[“”„«»]/g, '"')
    .replace(/\s+/g, ' ')
    .replace(/(?<![\s:*….])[\s:*….]+$/u, '')
    .trim();
}

function wordsOf(text: string): string[] {
  return normal(text).match(/[\p{L}\p{N}]+(?:'[\p{L}]+)?/gu) ?? [];
}

/** Longer text contains words that are not its name. */
const LONGEST_LOOSE_LABEL = 160;

/** Levels: 1 equal name, 2 equal placeholder, text or adjacent text, 3 begins with the words, 4 contains them in a row, 5 contains all. */
export function levelOf(item: Item, wanted: string): Level | undefined {
  const sought = normal(wanted);
  if (sought === '' || sought.length > LONGEST_LABEL) return undefined;
  if (normal(item.label) === sought) return 1;
  const others =
    item.node?.name === undefined || item.text === item.label || isValue(item)
      ? item.hints
      : [...item.hints, item.text];
  if (others.some((other) => normal(other) === sought)) return 2;
  const words = wordsOf(wanted);
  if (words.length === 0) return undefined;
  const levels = [item.label, ...others].flatMap((label) => looseLevel(label, words) ?? []);
  return levels.length > 0 ? (Math.min(...levels) as Level) : groupLevel(item, words);
}

function looseLevel(label: string, words: readonly string[]): Level | undefined {
  if (label.length > LONGEST_LOOSE_LABEL) return undefined;
  const there = wordsOf(label);
  const at = there.findIndex((_, index) => words.every((word, offset) => there[index + offset] === word));
  if (at === 0) return 3;
  if (at > 0) return 4;
  return words.every((word) => there.includes(word)) ? 5 : undefined;
}

/** Matches "Express shipping" with the radio button "Express" in the group "Shipping". */
function groupLevel(item: Item, words: readonly string[]): Level | undefined {
  if (item.role !== 'radio' && item.role !== 'checkbox') return undefined;
  const own = wordsOf(item.label);
  for (const above of ancestors(item)) {
    if (above.role !== 'group' && above.role !== 'radiogroup') continue;
    const named = wordsOf(above.label.slice(0, LONGEST_LOOSE_LABEL));
    const isOwn = own[0] !== undefined && words[0] === own[0];
    return isOwn && words.every((word) => own.includes(word) || named.includes(word)) ? 5 : undefined;
  }
  return undefined;
}

function isValue(item: Item): boolean {
  return item.role === 'textbox' || item.role === 'searchbox' || item.role === 'spinbutton' || item.role === 'combobox';
}
