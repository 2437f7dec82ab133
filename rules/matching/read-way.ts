import { isVerb, stemsIn, wordsOf, type Word } from '../language/words';
import * as acts from './element-commands';
import { FREE_KINDS } from './by-words';
import { surroundingsOf } from './entry';
import { ancestors, type Item, type Page } from './page-index';
import { asOnPage, vocabularyOf } from './page-words';
import { TO_CLICK } from './purpose';
import type { TargetSearch } from './resolution';

const MENU =
  /^(?:more(?: (?:actions|options))?|actions|options|menu|(?:row|open)? ?(?:actions?|menu)|[…⋯⋮•.︙☰]{1,3})$/i;
const NAME_WORDS = 12;
/** Begins the keys of a menu that was opened, and of one that was closed again. */
const IN_MENU = '⋮';
const CLOSED = '(closed)';
/** Begins the keys of a part of the page that was opened. */
const IN_PART = '→';
/** Begins the key of a tab that was looked into. */
const LOOKED = '?';

/** What was opened for a clause before: the words that it used up, and whether a menu is open. */
export interface Opened {
  used: ReadonlySet<string>;
  isMenu: boolean;
  isClosed: boolean;
  count: number;
  /** The names of the tabs that were looked into, after that of the one that was open first. */
  looked: readonly string[];
}

export function openedFrom(said: readonly string[], before: readonly string[] = []): Opened {
  const keys = said.flatMap((key) => key.split('\n'));
  const parts = keys.filter((key) => !key.startsWith(LOOKED)).flatMap((key) => key.split('|'));
  return {
    looked: keys.filter((key) => key.startsWith(LOOKED)).map((key) => key.slice(1)),
    used: new Set([...before, ...parts]),
    isMenu: keys.at(-1)?.startsWith(IN_MENU) === true,
    isClosed: parts.includes(CLOSED),
    count: keys.filter((key) => !key.startsWith(LOOKED)).length,
  };
}

/** The menu of the entry that the words name: what is to be done may be in it. Its entry must have all of them. */
export function menuFor(page: Page, words: readonly Word[]): TargetSearch | undefined {
  const [verb, ...object] = words;
  if (
    verb?.verb === undefined ||
    object.length === 0 ||
    /^(?:take|put|make|give|write|type|set|enter|add|find|search)$/.test(verb.stem)
  )
    return undefined;
  const menus = page.items.filter((item) => TO_CLICK.rank(item) !== undefined && !item.isHidden && isMenu(item));
  const meant = menus.filter((item) => {
    const { entryText, ownText } = surroundingsOf(page, item);
    // A long entry may speak of others: its name stands at its beginning.
    const names = [...stemsIn(ownText), ...stemsIn(entryText).slice(0, NAME_WORDS)];
    return object.every(({ stem, said, isQuoted: isWhole }) =>
      isWhole ? stemsIn(said).every((each) => names.includes(each)) : names.includes(stem),
    );
  });
  const [menu] = meant;
  if (menu === undefined || meant.length > 1) return undefined;
  const opens = [IN_MENU, ...object.map(({ stem }) => stem)];
  return { kind: 'commands', commands: [acts.click(menu)], target: menu, opens };
}

const isMenu = ({ label, hints, node }: Item): boolean =>
  [label, ...hints].some((name) => MENU.test(name.trim()) || /\b(?:actions|options|menu)\b|^more\b/i.test(name)) ||
  node?.states?.includes('popup') === true;

/** Closes a menu that does not have what was looked for. */
export const closeMenu = (): TargetSearch => ({
  kind: 'commands',
  commands: [{ action: 'PRESS_KEY', parameters: { key: 'Escape' } }],
  opens: [CLOSED],
});

/**
 * The tab, link or section that is not open and whose whole name is among the words: what is to be done may be there.
 * Opening it changes nothing but what is seen.
 */
export function partFor(page: Page, words: readonly Word[], text: string): TargetSearch | undefined {
  if (!isVerb(/^[a-z]+/i.exec(text)?.[0]?.toLowerCase() ?? '') && !/[:"“]/.test(text)) return undefined;
  const openers = page.items.filter((item) => !item.isHidden && item.node?.disabled !== true && isOpener(item));
  const named = openers.flatMap((item) => {
    const names = [...new Set(stemsIn(item.label.replace(/\(\d+\)|\b\d+\b/g, ' ')))];
    const used = words.filter((word) => isAmong(word, names));
    const isWhole = names.length > 0 && names.every((name) => used.some((word) => isAmong(word, [name])));
    return isWhole && used.length < words.length && (item.role !== 'link' || isPlace(text, item))
      ? [{ item, used, weight: names.length }]
      : [];
  });
  const most = Math.max(...named.map(({ weight }) => weight));
  const [first, ...others] = named.filter(({ weight }) => weight === most);
  if (first === undefined || others.length > 0) return undefined;
  const opens = [IN_PART, ...first.used.map(({ stem }) => stem)];
  return { kind: 'commands', commands: [acts.click(first.item)], target: first.item, opens };
}

/** Whether the text names a link as a place: "in the preferences", "settings: …". */
function isPlace(text: string, { label }: Item): boolean {
  const first = (stemsIn(label)[0] ?? '').replace(/[^\p{L}\p{N}]/gu, '\\$&');
  return new RegExp(
    `(?:\\b(?:in|on|under|inside|open|go to|from|at)\\s+(?:the\\s+|my\\s+|our\\s+|their\\s+)?${first}|^${first}\\w*(?:\\s+(?:tab|page|section|view|folder))?\\s*:|${first}\\w*\\s+(?:tab|page|section|view|folder)\\b)`,
    'i',
  ).test(text);
}

function isAmong(word: Word, names: readonly string[]): boolean {
  if (word.isQuoted) return stemsIn(word.said).every((stem) => names.includes(stem));
  return names.includes(word.stem) || word.also?.some((each) => names.includes(each)) === true;
}

function isOpener(item: Item): boolean {
  const { role, node } = item;
  if (TO_CLICK.rank(item) === undefined) return false;
  if (role === 'tab') return node?.selected !== true;
  if (node?.expanded !== undefined) return node.expanded === false && role !== 'combobox';
  const isInEntry = [...ancestors(item)].some(
    (above) => /^(?:row|listitem|article)$/.test(above.role) && !isNavigation(above),
  );
  return role === 'link' && !isInEntry;
}

const isNavigation = (item: Item): boolean => [...ancestors(item)].some(({ role }) => role === 'navigation');

/** The next tab to look into for what is not on this one; after all of them the first again, and then none. */
export function tabToLook(page: Page, text: string, { looked, isMenu }: Opened): TargetSearch | undefined {
  const { stems } = vocabularyOf(page);
  const words = asOnPage(page, wordsOf(text), false).filter(
    ({ stem, verb }) => verb === undefined && !FREE_KINDS.test(stem),
  );
  if (looked.length === 0 && !words.some((word) => [word.stem, ...(word.also ?? [])].some((stem) => stems.has(stem))))
    return undefined;
  const tabs = page.items.filter(
    (item) =>
      item.role === 'tab' && !item.isHidden && item.node?.disabled !== true && TO_CLICK.rank(item) !== undefined,
  );
  const current = tabs.find(({ node }) => node?.selected === true);
  const isHome = looked.length > 1 && looked.at(-1) === looked[0];
  if (isMenu || isHome || tabs.length < 2 || tabs.length > MOST_TABS || current === undefined) return undefined;
  const seen = looked.length === 0 ? [current.label] : looked;
  const next = tabs.find(({ label }) => !seen.includes(label)) ?? tabs.find(({ label }) => label === seen[0]);
  if (next === undefined || next === current) return undefined;
  const keys = looked.length === 0 ? [LOOKED + current.label, LOOKED + next.label] : [LOOKED + next.label];
  return { kind: 'commands', commands: [acts.click(next)], target: next, opens: [keys.join('\n')] };
}
const MOST_TABS = 8;
