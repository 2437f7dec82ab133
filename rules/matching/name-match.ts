import { remembered } from '../language/remembered';
import { ancestors, LONGEST_LABEL, type Item } from './page-index';

/** How well a name matches an item; 1 is strongest. */
export const LEVELS = [1, 2, 3, 4, 5] as const;
export type Level = (typeof LEVELS)[number];

/** Characters that are no part of a name: invisible ones and the glyphs of icon fonts. */
const UNSEEN = /\u{FE0E}|\u{FE0F}|[\u00AD\u200B-\u200F\u202A-\u202E\u2060\uFEFF\uE000-\uF8FF]/gu;
/** Arrows that show the order of a column, or that a control opens something. */
const ARROWS =
  /^[\s▲▼△▽▴▾▸►◂◄←→↑↓↕⇅⇵⌃⌄›»]+(?=[^\s▲▼△▽▴▾▸►◂◄←→↑↓↕⇅⇵⌃⌄›»])|(?<=[^\s▲▼△▽▴▾▸►◂◄←→↑↓↕⇅⇵⌃⌄›»])[\s▲▼△▽▴▾▸►◂◄←→↑↓↕⇅⇵⌃⌄›»]+$/gu;

/** Normalizes text for the comparison of names: case, whitespace, quotes, and the marks that forms put after labels. */
export const normal = remembered((text: string): string => {
  return text
    .normalize('NFKC')
    .replace(UNSEEN, '')
    .toLowerCase()
    .replace(/[‘’`´]/g, "'")
    .replace(/[“”„«»]/g, '"')
    .replace(/^[×✕✖✗⨯╳]$/u, 'x')
    .replace(/[−–]/g, '-')
    .replace(/\s+/g, ' ')
    .replace(ARROWS, '')
    .replace(/(?<![\s:*….])[\s:*….]+$/u, '')
    .trim();
});

/** Symbols by the words for them. */
const SYMBOLS: Record<string, string> = {
  plus: '+',
  minus: '-',
  cross: 'x',
  star: '★',
  heart: '♥',
  gear: '⚙',
  hamburger: '☰',
  bin: '🗑',
  trash: '🗑',
};

const wordsOf = remembered(
  (text: string): readonly string[] =>
    normal(text).match(/(?:(?<![\p{L}\p{N}])[@#])?[\p{L}\p{N}]+(?:'[\p{L}]+)?/gu) ?? [],
);

/** Longer text contains words that are not its name. */
const LONGEST_LOOSE_LABEL = 160;

/** Levels: 1 equal name, 2 equal placeholder, text or adjacent text, 3 begins with the words, 4 contains them in a row, 5 contains all, or is called so in the source. */
export function levelOf(item: Item, wanted: string): Level | undefined {
  const sought = normal(wanted);
  if (sought === '' || sought.length > LONGEST_LABEL) return undefined;
  if (normal(item.label) === sought) return 1;
  const others =
    item.node?.name === undefined || item.text === item.label || isValue(item)
      ? item.hints
      : [...item.hints, item.text];
  const symbol = Object.hasOwn(SYMBOLS, sought) ? SYMBOLS[sought] : undefined;
  if (
    [...others, ...(symbol === undefined ? [] : [item.label])].some((other) => [sought, symbol].includes(normal(other)))
  )
    return 2;
  // "login" is "Log in".
  if (
    squeezed(sought).length > 3 &&
    [item.label, ...others].some((other) => squeezed(normal(other)) === squeezed(sought))
  )
    return 2;
  const words = wordsOf(wanted);
  if (words.length === 0) return undefined;
  const levels = [item.label, ...others].flatMap((label) => looseLevel(label, words) ?? []);
  if (levels.length > 0) return Math.min(...levels) as Level;
  return isCalledInSource(item, wanted) ? 5 : groupLevel(item, words);
}

/** How an instruction says what nobody sees: the id, the name or the test id of a control. */
export const SOURCE_NAME = /^#[a-z][\w.-]*$/i;

export function isCalledInSource({ node }: Item, wanted: string): boolean {
  const { submits: _, ...names } = node?.attributes ?? {};
  return SOURCE_NAME.test(wanted) && Object.values(names).includes(wanted.slice(1));
}

const squeezed = (text: string): string => text.replace(/[\s-]/g, '');

function looseLevel(label: string, words: readonly string[]): Level | undefined {
  if (label.length > LONGEST_LOOSE_LABEL) return undefined;
  const there = wordsOf(label);
  const at = there.findIndex((_, index) => words.every((word, offset) => isWord(there[index + offset], word)));
  if (at === 0) return 3;
  if (at > 0) return 4;
  return words.every((word) => there.some((each) => isWord(each, word))) ? 5 : undefined;
}

/** "bob" is @bob, but @bob is no other bob. */
function isWord(there: string | undefined, word: string): boolean {
  return there === word || (there !== undefined && /^[@#]/.test(there) && there.slice(1) === word);
}

const IN_GROUPS = /^(?:radio|checkbox|button|tab|option|switch|textbox|searchbox|spinbutton|combobox|listbox)$/;

/** Matches "Express shipping" with the radio button "Express (5.00)" in the group "Shipping", and "shipping city" with its field "City". */
function groupLevel(item: Item, words: readonly string[]): Level | undefined {
  if (!IN_GROUPS.test(item.role)) return undefined;
  const own = wordsOf(item.label);
  if (own.length === 0 || own.length > LONGEST_LOOSE_LABEL) return undefined;
  for (const above of ancestors(item)) {
    if (above.role !== 'group' && above.role !== 'radiogroup' && above.role !== 'form' && above.role !== 'region')
      continue;
    const named = wordsOf((above.node?.name ?? above.label).slice(0, LONGEST_LOOSE_LABEL));
    const isOwn = words[0] === own[0] || own.every((word) => words.includes(word));
    return isOwn && words.every((word) => own.includes(word) || named.includes(word)) ? 5 : undefined;
  }
  return undefined;
}

function isValue(item: Item): boolean {
  return item.role === 'textbox' || item.role === 'searchbox' || item.role === 'spinbutton' || item.role === 'combobox';
}
