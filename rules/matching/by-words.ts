import type { AIGeneratedCommand } from '../../contracts/commands/commands';
import { stemOf } from '../language/stems';
import { roleWord } from '../language/role-words';
import { isVerb, stemsIn, wordsOf, type Word } from '../language/words';
import { doesOther, isDestructive, isSaidBy, removesFromOther } from './does-other';
import { surroundingsOf, type Surroundings } from './entry';
import { normal } from './name-match';
import { asOnPage } from './page-words';
import { ancestors, isField, isInside, type Item, type Page } from './page-index';
import { TO_CHECK, TO_CLICK, type Purpose } from './purpose';
import { commandsOn, severalFor, type TargetSearch } from './resolution';
import { ENTRY_KINDS, FREE_KINDS, PAGER, regionOf, regionOfLiteral, THINGS, type Region } from './word-regions';

/** How a control accounts for the words of a step. */
export interface Fit {
  item: Item;
  score: number;
  /** Words that nothing of the control, its entry or its place has. */
  left: Word[];
  /** A word is of its entry: the step says of which it is. */
  isOfEntry?: boolean;
}

const WEIGHT: Record<Region, number> = { own: 4, entry: 3, section: 2, kind: 1 };
/** Scores that differ by less are equal: it is asked. */
export const MARGIN = 0.3;

/** The controls that account for all words, the best ones; where none does, those that leave the fewest over. */
export function fitting(page: Page, said: readonly Word[], purpose: Purpose): { best: Fit[]; nearest: Fit[] } {
  const words = asOnPage(page, said, isDestructive(said));
  const ordinals = words.filter(({ ordinal }) => ordinal !== undefined);
  const fits = fitsOf(page, words, purpose);
  const plain = bestOf(
    fits.filter(({ left }) => left.length === 0),
    page,
  );
  const counted = countedBy(page, words, purpose);
  const best =
    counted.length === 0 ? plain : plain.length === 0 || ordinals.length > 0 ? counted : [...plain, ...counted];
  const fewest = Math.min(...fits.map(({ left }) => left.length));
  return { best: unique(best), nearest: bestOf(fits.filter(({ left }) => left.length === fewest)) };
}

function unique(fits: readonly Fit[]): Fit[] {
  return fits.filter(({ item }, at) => fits.findIndex((other) => other.item === item) === at);
}

function fitsOf(page: Page, words: readonly Word[], purpose: Purpose): Fit[] {
  const candidates = page.items.filter(
    (item) => purpose.rank(item) !== undefined && !item.isHidden && (purpose !== TO_CLICK || !isField(item)),
  );
  const fits = candidates.flatMap((item) => fitOf(page, item, words, purpose) ?? []);
  // A row that is clicked is meant where nothing in it is.
  return fits.filter(
    ({ item, left }) =>
      !fits.some((other) => other.item !== item && isInside(other.item, item) && other.left.length <= left.length),
  );
}

/** Undefined for a control that has none of the words itself, unless it was found otherwise. */
export function fitOf(
  page: Page,
  item: Item,
  words: readonly Word[],
  purpose: Purpose,
  isFound = false,
): Fit | undefined {
  const place = surroundingsOf(page, item);
  const left: Word[] = [];
  let score = 0;
  let isOwn = false;
  let isOfEntry = false;
  let inEntry = words.every(({ verb }) => verb !== undefined);
  /** Words that name nothing but a part of the page. */
  const parts: Word[] = [];
  const ofEntry: string[] = [];
  const isOpened = words.some(({ isSoft, stem }) => isSoft === true && /^(?:open|show|view|visit)$/.test(stem));
  if (!isFound && isOpened && /^(?:checkbox|radio|switch)$/.test(item.role)) return undefined;
  // “open the logo ticket” opens it, and not its “Ticket menu”.
  if (!isFound && isOpened && SAYS_MENU.test(item.label) && !words.some(({ stem }) => MENU_WORD.test(stem)))
    return undefined;
  const isTick = purpose === TO_CLICK && /^(?:checkbox|radio|switch)$/.test(item.role);
  for (const word of words) {
    const found = regionOf(page, item, place, word, purpose, words);
    // “select the Alpine flight” is one of the flights, and no box that filters them.
    const isOneOf = found === 'section' && isTick && headsSeveral(place, { ...word, isCounted: true });
    const region = isOneOf ? undefined : found;
    isOwn ||=
      region === 'own' && (word.isSoft !== true || (word.verb !== undefined && stemsIn(item.label).length === 1));
    if (word.isSoft) {
      score += region === 'entry' || region === 'own' ? 1 : 0;
      continue;
    }
    if (region === undefined) left.push(word);
    else score += WEIGHT[region];
    const isPart = FREE_KINDS.test(word.stem) || roleWord(word.said) !== undefined;
    const isKindOfPart = region === 'kind' && isPart && !ENTRY_KINDS.test(word.stem);
    if ((region === 'section' && !headsSeveral(place, word)) || isKindOfPart) parts.push(word);
    inEntry ||= region === 'entry';
    isOfEntry ||= region === 'entry';
    // “amelia brooks” is rather Brooks than Brook.
    if (word.literal !== undefined && regionOfLiteral(place, word.literal) === region) score += 0.5;
    // A sign is all that its control is called.
    if (region === 'own' && /^[^\p{L}\p{N}]$/u.test(word.stem)) score += 3;
    if (word.isQuoted && region === 'own' && normal(item.label) === normal(word.said)) score += 3;
    if (word.isQuoted && region === 'entry' && isWholeText(place.parts, word.said)) score += 1;
    if (!word.isQuoted && region === 'entry') ofEntry.push(word.said);
  }
  // “the lemon chicken” is not the lemon chicken soup.
  if (ofEntry.length > 1 && isWholeText(place.parts, ofEntry.join(' '))) score += 1;
  if (!isOwn && !isFound) return undefined;
  if (!isFound && purpose === TO_CLICK && (doesOther(item, words) || removesFromOther(item, place, words)))
    return undefined;
  // "delete the list" does not delete its only entry.
  const named = words.filter(({ verb, isSoft }) => verb === undefined && isSoft !== true);
  const isInEntry = place.parts.some(({ role }) => /^(?:row|listitem|article|treeitem)$/.test(role));
  if (isInEntry && named.length > 0 && parts.length === named.length && isDestructive(words)) left.push(...parts);
  // A sign that may mean the verb says nothing of what it is done to.
  const hasVerb = words.some(({ verb, isSoft }) => verb !== undefined && isSoft !== true);
  if (!isFound && hasVerb && isSignOnly(place) && !inEntry) return undefined;
  return { item, left, isOfEntry, score: score + 2 * Math.max(...namesOf(item).map((name) => shareSaid(name, words))) };
}

const SAYS_MENU = /\b(?:menu|actions|options)\s*$/i;
const MENU_WORD = /^(?:menu|action|option|more|dot|kebab|hamburger)$/;

/** What a control is called; of a sign what it is for. */
const namesOf = ({ label, hints }: Item): string[] => (/[\p{L}\p{N}]/u.test(label) ? [label] : [label, ...hints]);

/** How much of a name is said. */
function shareSaid(name: string, words: readonly Word[]): number {
  const stems = [...new Set(/[\p{L}\p{N}]/u.test(name) ? wordsOf(name, false).map(({ stem }) => stem) : stemsIn(name))];
  return stems.length === 0
    ? 0
    : stems.filter((stem) => words.some((word) => isSaidBy(word, stem))).length / stems.length;
}

/** “the second customer” is one of the list “Customers”, which as a whole would be “the customers”. */
const headsSeveral = ({ sectionText }: Surroundings, { isCounted, said }: Word): boolean =>
  isCounted === true &&
  sectionText
    .toLowerCase()
    .match(/\p{L}+/gu)
    ?.some((word) => isPluralOf(word, said)) === true;

const isPluralOf = (word: string, one: string): boolean =>
  word !== one.toLowerCase() && word.endsWith('s') && stemOf(word) === stemOf(one);

/** Whether a part of the entry says just this: “Report” is not “Report, appendix”. */
const isWholeText = (parts: readonly Item[], said: string): boolean =>
  parts.some(({ text, children }) => normal(text) === normal(said) || isWholeText(children, said));

const isSignOnly = ({ own }: Surroundings): boolean => ![...own].some((stem) => /[\p{L}\p{N}]{2}/u.test(stem));

export function bestOf(fits: readonly Fit[], page?: Page): Fit[] {
  const inDialog = fits.filter(({ item }) => [...ancestors(item)].some(({ role }) => /^(?:alert)?dialog$/.test(role)));
  const usable = [inDialog, fits].find((some) => some.length > 0) ?? [];
  const enabled = usable.filter(({ item }) => item.node?.disabled !== true);
  // Of a list the entry whose control is disabled may be the one that is meant.
  const listOf = ({ item }: Fit): Item | undefined =>
    page === undefined ? undefined : surroundingsOf(page, item).list;
  const lists = new Set(enabled.map(listOf));
  const rivals = usable.filter(
    (fit) =>
      fit.item.node?.disabled === true && fit.isOfEntry === true && listOf(fit) !== undefined && lists.has(listOf(fit)),
  );
  const some = enabled.length > 0 ? [...enabled, ...rivals] : usable;
  const top = Math.max(...some.map(({ score }) => score));
  return some.filter(({ score }) => score > top - MARGIN);
}

/** What an ordinal counts: entries of one list, never on in the next one. "row 2" is the second row of a list. */
function countedBy(page: Page, words: readonly Word[], purpose: Purpose): Fit[] {
  const at = words.findIndex((word, index) => word.ordinal !== undefined || isNumbered(words, index));
  const ordinal = words[at]?.ordinal ?? Number(words[at]?.stem);
  if (at === -1 || Number.isNaN(ordinal)) return [];
  const rest = words
    .map((word, index): Word => (index === at + 1 ? { ...word, isCounted: true } : word))
    .filter((_, index) => index !== at);
  const isOfRow = purpose === TO_CHECK && rest.every(isKindWord) && rest.some(({ stem }) => ENTRY_KINDS.test(stem));
  const fits = isOfRow ? boxesOfEntries(page, rest) : fitsOf(page, rest, purpose);
  const whole = fits.filter(({ left }) => left.length === 0);
  if (words[at + 1]?.stem === 'page' && whole.length > 0 && whole.every(({ item }) => PAGER.test(item.label.trim())))
    return whole.filter(({ item }) => Number(/\d+/.exec(item.label)?.[0]) === ordinal);
  // What says more than the deed and the kind of thing leaves some of them out.
  const isQualified = rest.some(
    ({ verb, stem, isQuoted, said }) =>
      verb === undefined &&
      (isQuoted === true || !(ENTRY_KINDS.test(stem) || FREE_KINDS.test(stem) || THINGS.test(stem) || roleWord(said))),
  );
  const isEntry = [words[at - 1], words[at + 1]].some((word) => ENTRY_KINDS.test(word?.stem ?? ''));
  const grouped = Map.groupBy(whole, ({ item }) => surroundingsOf(page, item).list);
  // "the second Save button" counts through the page; rows and what is taken away are counted in one list.
  const isThrough = grouped.size > 1 && !isEntry && !isDestructive(words);
  const lists = isThrough ? new Map([[undefined, whole]]) : grouped;
  return [...lists].flatMap(([list, fits]) => {
    const all = list === undefined ? fits.map(({ item }) => [item]) : entriesOf(page, list, fits);
    // "row 2" counts all rows; "the second person in Linz" those that are in Linz.
    const entries = isQualified
      ? all.filter((entry) => fits.some(({ item }) => entry.some((part) => isInside(item, part))))
      : all;
    // “the first car” is no “New car” beside the list of them.
    const isAlone =
      entries.length === 1 && !entries[0]!.some(({ role }) => /^(?:row|listitem|article|treeitem)$/.test(role));
    if (isAlone && fits.every(({ item }) => stemsIn(item.label).some(isVerb))) return [];
    const entry = ordinal === -1 ? entries.at(-1) : entries[ordinal - 1];
    return entry === undefined ? [] : bestOf(fits.filter(({ item }) => entry.some((part) => isInside(item, part))));
  });
}

const isKindWord = ({ stem, said, isQuoted }: Word): boolean =>
  isQuoted !== true && (ENTRY_KINDS.test(stem) || FREE_KINDS.test(stem) || roleWord(said) !== undefined);

/** “the checkbox in the first row”: the boxes that each entry has, whatever they are called. */
function boxesOfEntries(page: Page, words: readonly Word[]): Fit[] {
  const boxes = page.items.filter((item) => TO_CHECK.rank(item) !== undefined && !item.isHidden);
  return boxes.flatMap((item) => {
    const hasNamesake = boxes.some((other) => other !== item && other.label === item.label);
    const fit = hasNamesake ? fitOf(page, item, words, TO_CHECK, true) : undefined;
    return fit ?? [];
  });
}

const isNumbered = (words: readonly Word[], index: number): boolean =>
  /^\d{1,3}$/.test(words[index]!.stem) &&
  /^(?:row|line|item|entry|result|position|number|no|record|card)$/.test(words[index - 1]?.stem ?? '');

/** The entries of a list in the order in which they are seen: its rows but for heads, else the parts of the controls. */
function entriesOf(page: Page, list: Item, fits: readonly Fit[]): (readonly Item[])[] {
  const rows = page.items.filter(
    (item) =>
      isInside(item, list) &&
      /^(?:row|listitem|article|treeitem)$/.test(item.role) &&
      !item.isHidden &&
      !item.children.some(({ role }) => role === 'columnheader') &&
      [...ancestors(item)].find(({ role }) => /^(?:table|grid|treegrid|list|tree|rowgroup|feed)$/.test(role)) !==
        undefined,
  );
  const direct = rows.filter((row) => !rows.some((other) => other !== row && isInside(row, other)));
  if (direct.length > 0 && fits.every(({ item }) => direct.some((row) => isInside(item, row))))
    return direct.map((row) => [row]);
  return fits.map(({ item }) => surroundingsOf(page, item).parts);
}

/** The command on the only thing that fits best. */
export function onBestFit(best: readonly Fit[], said: string, act: (item: Item) => AIGeneratedCommand): TargetSearch {
  const [first] = best;
  if (best.length > 1)
    return severalFor(
      said,
      best.map(({ item }) => item),
    );
  return commandsOn(first!.item, act(first!.item));
}
