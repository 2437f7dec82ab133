import { isVerb, stemsIn, type Word } from '../language/words';
import * as acts from './element-commands';
import { ENTRY_KINDS, FREE_KINDS, THINGS } from './word-regions';
import { isDestructive } from './does-other';
import { surroundingsOf } from './entry';
import { ancestors, isInside, type Item, type Page } from './page-index';
import { CLOSED_LIST, isMenu, TO_CLICK } from './purpose';
import { isNew, wayOut } from './read-answer';
import type { TargetSearch } from './resolution';

const NAME_WORDS = 12;
/** Begins the keys of a menu that was opened, and of one that was closed again. */
const IN_MENU = '⋮';
export const CLOSED = '(closed)';
/** Begins what only the menu had, so that it shows whether it is closed; and what was closed by its opener. */
const HAD = '!';
const AGAIN = '(again)';
/** Begins the keys of a part of the page that was opened. */
export const IN_PART = '→';
/** Begins the name of what was opened, and closes by another click. */
export const OPENER = '⌂';
/** Begins the key of a tab that was looked into. */
export const LOOKED = '?';

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

/** The words that what was opened has not used up. */
export const without = (words: readonly Word[], { used }: Opened): Word[] =>
  words.filter(({ stem }) => !used.has(stem));

/**
 * The menu of the entry that the words name: what is to be done may be in it. The words that are not of the entry have to be
 * in the menu; where something is taken away, the entry has all of them.
 */
export function menuFor(page: Page, words: readonly Word[], text = ''): TargetSearch | undefined {
  const [verb, ...object] = words;
  const isGiven = GIVES.test(text);
  if (
    (verb?.verb === undefined && !isGiven) ||
    object.length === 0 ||
    /^(?:open|show|view|write|type|enter|add|find|search|invite|create|register|compose)$/.test(verb!.stem) ||
    (!isGiven && /^(?:take|put|make|give|set)$/.test(verb!.stem))
  )
    return undefined;
  // What it is to become says nothing of which entry it is.
  const given = isGiven ? stemsIn(GIVEN.exec(text)?.[1] ?? '') : [];
  const naming = object.filter(({ stem, isQuoted }) => isQuoted === true || !given.includes(stem));
  const menus = page.items.filter((item) => TO_CLICK.rank(item) !== undefined && !item.isHidden && isMenu(item));
  const meant = menus.map((item) => {
    const { entryText, ownText, list } = surroundingsOf(page, item);
    // A long entry may speak of others: its name stands at its beginning.
    const names = [...stemsIn(ownText), ...stemsIn(entryText).slice(0, NAME_WORDS)];
    const own = naming.filter((word) => isAmong({ ...word, also: [] }, names));
    const heads = own.length === 0 || list === undefined ? [] : headsIn(page, list);
    return { item, own, used: [...own, ...object.filter((word) => !own.includes(word) && isAmong(word, heads))] };
  });
  const most = Math.max(...meant.map(({ own }) => own.length));
  const [menu, ...others] = meant.filter(({ own }) => own.length === most);
  if (menu === undefined || most <= 0 || others.length > 0) return undefined;
  const addresses = text.match(/[^\s,;:]+@[^\s,;:]+/g) ?? [];
  if (addresses.some((address) => !surroundingsOf(page, menu.item).entryText.includes(address))) return undefined;
  // What kind of thing the entry is, is seen in the menu: “Delete user” of Joao is not what deletes his comment.
  const rest = object.filter((word) => !menu.used.includes(word) && !THINGS.test(word.stem));
  const isOpen =
    rest.length <= MOST_IN_MENU &&
    rest.every(({ said, isQuoted }) => isGiven || (isQuoted !== true && !/\d|^\p{Lu}/u.test(said)));
  const isOfEntry =
    menus.some((other) => other !== menu.item && other.label === menu.item.label) ||
    menu.own.some((word) => isAmong(word, [...stemsIn(menu.item.label)]));
  if ((rest.length > 0 && !isOpen) || (isDestructive(words) && (rest.length > 0 || !isOfEntry))) return undefined;
  // What the list of the entry is called is the kind of thing that it is.
  const { section } = surroundingsOf(page, menu.item);
  const kinds = object.filter(({ stem }) => THINGS.test(stem) && section.has(stem));
  const opens = [IN_MENU, ...[...menu.used, ...kinds].map(({ stem }) => stem)];
  return { kind: 'commands', commands: [acts.click(menu.item)], target: menu.item, opens };
}

export const MOST_IN_MENU = 3;
/** What the entry is to become or to belong to is seen in its menu: “assign the quote to Ben”. */
const GIVES =
  /^(?:move|assign|reassign|set|give|make|put|mark|change|transfer|promote|demote)\s\S.*?\s(?:to|into|onto|in|as|an?)\s+\S/i;
const GIVEN = /^.*\s(?:to|into|onto|in|as|an?)\s+(\S.*)$/i;

const headsIn = (page: Page, list: Item): string[] =>
  page.items
    .slice((list.role === 'rowgroup' ? (list.parent ?? list) : list).index, list.last + 1)
    .flatMap(({ role, text }) => (role === 'columnheader' ? stemsIn(text) : []));

/** Closes a menu that does not have what was looked for. */
export function closeMenu(page: Page): TargetSearch {
  const isOnly = (item: Item): boolean =>
    isNew(item) &&
    item.label !== '' &&
    page.items.every((other) => other.label !== item.label || isInside(other, item) || isInside(item, other));
  // What is clicked in it, else whatever has come with it.
  const fresh = page.items.find((item) => TO_CLICK.rank(item) !== undefined && isOnly(item)) ?? page.items.find(isOnly);
  const sheet = page.items.find(({ role, isHidden, node }) => role === 'dialog' && !isHidden && node?.since === 'new');
  const out = sheet && wayOut(page, sheet);
  return {
    kind: 'commands',
    commands: [out === undefined ? { action: 'PRESS_KEY', parameters: { key: 'Escape' } } : acts.click(out)],
    opens: [CLOSED, ...(fresh ? [HAD + fresh.label.replaceAll('|', ' ')] : [])],
  };
}

/** A menu that Escape did not close is closed by its own way out, or by what opened it, which stands right before it. */
export function closeByOpener(page: Page, { used }: Opened): TargetSearch | undefined {
  const had = [...used].find((key) => key.startsWith(HAD))?.slice(HAD.length);
  const shown = page.items.find((item) => !item.isHidden && item.label.replaceAll('|', ' ') === had);
  if (had === undefined || shown === undefined || used.has(AGAIN)) return undefined;
  const clicked = page.items.filter((item) => TO_CLICK.rank(item) !== undefined && !item.isHidden);
  const [folder, ...folders] = clicked.filter(isFolder);
  const isFolded = folder !== undefined && folders.length === 0;
  const opener = clicked.findLast((item) => item.index < shown.index && isMenu(item));
  const menu = isFolded ? folder : opener?.node?.unreachable === undefined ? opener : outOfSheet(clicked, shown);
  return menu && { kind: 'commands', commands: [acts.click(menu)], target: menu, opens: [AGAIN] };
}

/** What leaves a sheet that covers the rest of the page: a button beside an entry is covered, too. */
function outOfSheet(clicked: readonly Item[], shown: Item): Item | undefined {
  const around = [...ancestors(shown)].slice(0, SHEET_LEVELS);
  return clicked.find(
    (item) =>
      WAY_OUT.test(item.label.trim()) &&
      item.node?.unreachable === undefined &&
      around.some((part) => part.role !== 'main' && isInside(item, part)),
  );
}

const WAY_OUT = /^(?:close|cancel|dismiss|[×✕✖])$/i;
/** A sheet has its way out beside its items, or beside their list. */
const SHEET_LEVELS = 3;

/** What was “more” before. */
const isFolder = ({ label }: Item): boolean => /^(?:show\s+)?(?:less|fewer)\s*[▴▲⌃]?$|^[▴▲⌃]$/i.test(label.trim());

/** An item of a menu that does nothing but to show more of it. */
export const opensPart = ({ label, node }: Item): boolean =>
  /[▸›»▶]\s*$/.test(label) || node?.states?.includes('popup') === true;

/** The part of an open menu that has what its name says: “Assign to ▸”. */
export function partOfMenu(page: Page, words: readonly Word[]): TargetSearch | undefined {
  const parts = page.items.filter(
    (item) => TO_CLICK.rank(item) !== undefined && !item.isHidden && isNew(item) && opensPart(item),
  );
  const named = parts.flatMap((item) => {
    const names = stemsIn(item.label).filter((stem) => /\p{L}/u.test(stem) && stem !== 'to');
    const used = words.filter((word) => names.some((name) => word.verb?.has(name) === true || isAmong(word, [name])));
    return names.length > 0 && used.length >= names.length ? [{ item, used }] : [];
  });
  const [part, ...others] = named;
  if (part === undefined || others.length > 0) return undefined;
  const opens = [IN_MENU, ...part.used.map(({ stem }) => stem)];
  return { kind: 'commands', commands: [acts.click(part.item)], target: part.item, opens };
}

/** “change the date of booking 7 to 8 January”: what the menu calls “Change date”, which shows where the value goes. */
export function changeInMenu(
  page: Page,
  words: readonly Word[],
  text: string,
  opened: Opened,
): TargetSearch | undefined {
  const given = GIVES.test(text) ? stemsIn(GIVEN.exec(text)?.[1] ?? '') : [];
  const said = words.filter(({ stem, isQuoted }) => isQuoted !== true && !given.includes(stem));
  const items = page.items.filter((item) => {
    if (TO_CLICK.rank(item) === undefined || item.isHidden || !isNew(item) || given.length === 0) return false;
    const names = stemsIn(item.label).filter((stem) => /\p{L}/u.test(stem));
    const having = (name: string): Word[] =>
      said.filter((word) => word.verb?.has(name) === true || isAmong(word, [name]));
    const used = new Set(names.flatMap(having));
    const rest = said.filter((word) => !used.has(word));
    return (
      names.length > 1 &&
      used.size > 0 &&
      names.every((name) => having(name).length > 0 || opened.used.has(name)) &&
      rest.every(({ stem }) => THINGS.test(stem) || FREE_KINDS.test(stem))
    );
  });
  const [item, ...others] = items.filter((each) => !items.some((inner) => inner !== each && isInside(inner, each)));
  if (item === undefined || others.length > 0) return undefined;
  const opens = [IN_PART, ...said.map(({ stem }) => stem)];
  return { kind: 'commands', commands: [acts.click(item)], target: item, opens };
}

/**
 * The tab, link or section that is not open and whose whole name is among the words: what is to be done may be there.
 * Opening it changes nothing but what is seen.
 */
export function partFor(page: Page, words: readonly Word[], text: string): TargetSearch | undefined {
  if (!isVerb(/^[a-z]+/i.exec(text)?.[0]?.toLowerCase() ?? '') && !/[:"“]/.test(text)) return undefined;
  const openers = page.items.filter((item) => !item.isHidden && item.node?.disabled !== true && isOpener(item));
  const named = openers.flatMap((item) => {
    const names = [...new Set(stemsIn(item.label.replace(/\(\d+\)|\b\d+\b/g, ' ')))];
    const used = words.filter((word) => word.isOfCode !== true && isAmong(word, names));
    // “the open parcel” is no filter “Open”.
    if (names.join() === 'open' && !/["“]/.test(text)) return [];
    const isWhole = names.length > 0 && names.every((name) => used.some((word) => hasName(word, name)));
    const rest = words.filter((word) => !used.includes(word));
    return isWhole &&
      isOfNamedEntry(page, item, rest) &&
      used.length < words.length &&
      (!/^(?:link|generic)$/.test(item.role) || isPlace(text, item))
      ? [{ item, used, weight: names.length }]
      : [];
  });
  const most = Math.max(...named.map(({ weight }) => weight));
  const [first, ...others] = named.filter(({ weight }) => weight === most);
  if (first === undefined || others.length > 0) return undefined;
  const isFolded = first.item.node?.expanded !== undefined;
  const way = [IN_PART, ...(isFolded ? [OPENER + first.item.label] : []), ...first.used.map(({ stem }) => stem)];
  const home = first.item.role === 'tab' ? first.item.parent?.children.find(({ node }) => node?.selected) : undefined;
  const looked = home === undefined ? [] : [LOOKED + home.label, LOOKED + first.item.label];
  const opens = [[...looked, way.join('|')].join('\n')];
  return { kind: 'commands', commands: [acts.click(first.item)], target: first.item, opens };
}

/** A quoted name has several words. */
const hasName = (word: Word, name: string): boolean =>
  word.isQuoted === true ? stemsIn(word.said).includes(name) : isAmong(word, [name]);

/** “Details” of a row opens that row, so the words name it. */
function isOfNamedEntry(page: Page, item: Item, words: readonly Word[]): boolean {
  if (!isInEntry(item)) return true;
  const entry = stemsIn(surroundingsOf(page, item).entryText);
  const naming = words.filter(
    ({ verb, stem }) => verb === undefined && !FREE_KINDS.test(stem) && !ENTRY_KINDS.test(stem),
  );
  return (
    naming.some((word) => isAmong(word, entry)) && naming.every((word) => !/\d/.test(word.stem) || isAmong(word, entry))
  );
}

/** Whether the text names a link as a place: "in the preferences", "settings: …". */
function isPlace(text: string, { label }: Item): boolean {
  const first = (stemsIn(label)[0] ?? '').replace(/[^\p{L}\p{N}]/gu, '\\$&');
  return new RegExp(
    `(?:\\b(?:in|on|under|inside|open|go to|from|at)\\s+(?:the\\s+|my\\s+|our\\s+|their\\s+)?["“]?${first}|^${first}\\w*(?:\\s+(?:tab|page|section|view|folder))?\\s*:|${first}\\w*\\s+(?:tab|page|section|view|folder)\\b)`,
    'i',
  ).test(text);
}

export function isAmong(word: Word, names: readonly string[]): boolean {
  if (word.isQuoted) return stemsIn(word.said).every((stem) => names.includes(stem));
  return names.includes(word.stem) || word.also?.some((each) => names.includes(each)) === true;
}

function isOpener(item: Item): boolean {
  const { role, node } = item;
  if (TO_CLICK.rank(item) === undefined) return false;
  if (role === 'tab') return node?.selected !== true;
  if (node?.expanded !== undefined) return node.expanded === false && role !== 'combobox';
  // A list shows what is chosen; it is opened to choose.
  if (CLOSED_LIST.test(item.label.trim())) return false;
  const isPlain =
    role === 'generic' && node?.cursor === 'pointer' && item.children.length <= 1 && item.label.length <= 30;
  return (role === 'link' || isPlain) && !isInEntry(item);
}

const isInEntry = (item: Item): boolean =>
  [...ancestors(item)].some((above) => /^(?:row|listitem|article)$/.test(above.role) && !isNavigation(above));

const isNavigation = (item: Item): boolean => [...ancestors(item)].some(({ role }) => role === 'navigation');
