import { stemsIn, wordsOf, type Word } from '../language/words';
import { toNumber } from '../page-text/to-number';
import * as acts from './element-commands';
import { isInside, itemsInside, type Item, type Page } from './page-index';
import { asOnPage, vocabularyOf } from './page-words';
import { TO_CLICK } from './purpose';
import { isAmong, type Opened } from './read-way';
import { alreadySo, commandsOn, refused, severalFor, type TargetSearch } from './resolution';
import { cellsUnder, TABLE } from './table-cells';
import { ENTRY_KINDS, FREE_KINDS, THINGS } from './word-regions';

type Order = 'up' | 'down';

const SORT =
  /^(?:sort|order|arrange|rank)\s+(?:(?:the\s+)?(?<list>(?!(?:by|after|on|according)\b).+?)\s+)?(?:by|after|on|according\s+to)\s+(?:the\s+)?(?<by>.+)$/i;
const DOWN =
  /\b(?:desc(?:end(?:ing|ed)?)?|highest|biggest|largest|greatest|dearest|newest|latest|longest|(?:most\s+)?expensive|high(?:est)?\s+to\s+low(?:est)?|z\s*(?:to|-|–)\s*a|(?:going\s+)?down(?:wards?)?|falling)\b/gi;
const UP =
  /\b(?:asc(?:end(?:ing|ed)?)?|lowest|smallest|least|fewest|cheapest|oldest|earliest|soonest|shortest|alphabetical(?:ly)?|low(?:est)?\s+to\s+high(?:est)?|a\s*(?:to|-|–)\s*z|(?:going\s+)?up(?:wards?)?|rising)\b/gi;
/** What stands around a direction: “in … order”, “the … first”, “with the … on top”. */
const AROUND =
  /\b(?:with|in|from|the|an?|and|one|ones|order|first|last|top|on|at|to|place|go|goes|come|comes|which|is|are|be)\b|[,;()]/gi;
/** The marks of a list that was sorted by this step. */
const SORTED = '⇅';
const MOST_CLICKS = 3;

/** “sort by price, highest first”: a list of orders, or the heading of a column, clicked until the column is in that order. */
export function sortOn(page: Page, text: string, opened: Opened): TargetSearch | undefined {
  const { list = '', by = '' } = SORT.exec(text.replace(' ; ', ' in '))?.groups ?? {};
  if (by === '') return undefined;
  const order = says(DOWN, by) ? 'down' : says(UP, by) ? 'up' : undefined;
  const key = order === undefined ? by : by.replace(DOWN, ' ').replace(UP, ' ').replace(AROUND, ' ');
  const words = asOnPage(page, wordsOf(key, false), false).filter(({ stem }) => !/^(?:column|sort|order)$/.test(stem));
  const listed = wordsOf(list, false);
  const ordinal = listed.find((word) => word.ordinal !== undefined)?.ordinal;
  if (words.length === 0 || !listed.every((word) => isOfPage(page, word))) return undefined;
  const superlative = order === undefined ? undefined : /\b[a-z]+est\b/i.exec(by)?.[0];
  return byList(page, words, order, superlative) ?? byHeading(page, words, order, ordinal, opened);
}

const says = (words: RegExp, text: string): boolean => text.search(words) !== -1;

/** What is sorted is the list of this page, whatever it is called. */
function isOfPage(page: Page, { stem, said, ordinal }: Word): boolean {
  if (ordinal !== undefined || FREE_KINDS.test(stem) || THINGS.test(stem) || ENTRY_KINDS.test(stem)) return true;
  return vocabularyOf(page).stems.has(stem) && !/\d/.test(said);
}

/** Those of which each word is a name, rather by itself than by a word for the same. */
function namedBy<T>(all: readonly T[], words: readonly Word[], namesOf: (one: T) => readonly string[]): T[] {
  const having = (said: readonly Word[]): T[] => all.filter((one) => said.every((word) => isAmong(word, namesOf(one))));
  const exact = having(words.map((word) => ({ ...word, also: [] })));
  if (exact.length > 0) return exact;
  // “due date” is the column “Due”.
  const plain = words.filter(({ stem }) => stem !== 'date');
  const alike = having(words);
  return alike.length > 0 || plain.length === 0 || plain.length === words.length ? alike : namedBy(all, plain, namesOf);
}

/** An option of a list that says it sorts: what is sorted by, or “cheapest” alone. */
function byList(
  page: Page,
  words: readonly Word[],
  order: Order | undefined,
  superlative: string | undefined,
): TargetSearch | undefined {
  const lists = page.items.filter(
    (item) =>
      /^(?:combobox|listbox|radiogroup)$/.test(item.role) &&
      item.node?.ref !== undefined &&
      !item.isHidden &&
      [item.label, ...item.hints, ...Object.values(item.node.attributes ?? {})].some((name) =>
        /\b(?:sort|order)/i.test(name),
      ),
  );
  const all = lists.flatMap((list) =>
    itemsInside(page, list).flatMap((option) => (option.role === 'option' ? { list, option } : [])),
  );
  const named = namedBy(all, words, ({ option }) => stemsIn(option.label)).filter(
    ({ option: { label } }) => order === undefined || !says(order === 'down' ? UP : DOWN, label),
  );
  const options =
    named.length > 0 || superlative === undefined
      ? named
      : all.filter(({ option }) => option.label.toLowerCase().includes(superlative.toLowerCase()));
  const [found, ...others] = options;
  if (found === undefined) return undefined;
  if (others.length > 0)
    return severalFor(
      saidBy(words),
      [found, ...others].map(({ option }) => option),
    );
  return commandsOn(found.list, acts.select(found.list, found.option.label));
}

const saidBy = (words: readonly Word[]): string => words.map(({ said }) => said).join(' ');

function byHeading(
  page: Page,
  words: readonly Word[],
  order: Order | undefined,
  ordinal: number | undefined,
  opened: Opened,
): TargetSearch | undefined {
  const tables = page.items.filter(({ role, isHidden }) => TABLE.test(role) && !isHidden);
  const table = ordinal === undefined ? undefined : tables.at(ordinal < 0 ? ordinal : ordinal - 1);
  if (ordinal !== undefined && table === undefined) return refused(`There are not so many tables on this page.`);
  const sortable = page.items.flatMap((item) => {
    const isHere = item.role === 'columnheader' && !item.isHidden && (table === undefined || isInside(item, table));
    const target = isHere ? clickedIn(page, item) : undefined;
    return target === undefined ? [] : { heading: item, target };
  });
  const headings = namedBy(sortable, words, ({ heading }) => stemsIn(heading.label));
  const closest = headings.filter(({ heading }) => stemsIn(heading.label).length <= words.length);
  const [found, ...others] = closest.length > 0 ? closest : headings;
  if (found === undefined) return undefined;
  if (others.length > 0)
    return severalFor(
      saidBy(words),
      [found, ...others].map(({ heading }) => heading),
    );
  const { heading, target } = found;
  const isSorted = opened.used.has(SORTED);
  if (order === undefined) return commandsOn(target, acts.click(target));
  const now = isSorted ? orderOf(page, heading) : undefined;
  if (now === order) return alreadySo();
  if (isSorted && (now === undefined || opened.count >= MOST_CLICKS))
    return refused(
      `“${heading.label}” was clicked, and nothing shows that the list is now sorted ${order} by it: its column is in ${now === undefined ? 'no order' : 'the other order'}.`,
    );
  return { kind: 'commands', commands: [acts.click(target)], target, opens: [SORTED] };
}

/** What of a heading is clicked to sort by it: its button, or itself. */
function clickedIn(page: Page, heading: Item): Item | undefined {
  const clicked = itemsInside(page, heading).filter(
    (item) => TO_CLICK.rank(item) !== undefined && item.node?.disabled !== true,
  );
  return clicked.find(({ role }) => /^(?:button|link)$/.test(role)) ?? clicked[0];
}

/** The order in which the values below a heading stand; undefined where they are in none, or all alike. */
function orderOf(page: Page, heading: Item): Order | undefined {
  const cells = cellsUnder(page, heading)
    .map(({ text }) => text.trim())
    .filter((text) => /[\p{L}\p{N}]/u.test(text));
  const numbers = cells.map((cell) => bytesIn(cell) ?? toNumber(cell));
  const isNumeric = numbers.every((number) => number !== undefined);
  const steps = cells.slice(1).map((cell, at) => {
    if (isNumeric) return Math.sign(numbers[at + 1]! - numbers[at]!);
    return cell.toLowerCase() === cells[at]!.toLowerCase() ? 0 : isoDate(cell) > isoDate(cells[at]!) ? 1 : -1;
  });
  if (steps.every((step) => step === 0)) return undefined;
  return steps.every((step) => step >= 0) ? 'up' : steps.every((step) => step <= 0) ? 'down' : undefined;
}

/** “640 KB”, “1.2 MB” */
function bytesIn(text: string): number | undefined {
  const [, size = '', unit = ''] = /^([\d.,]+)\s?([kMGT]?)i?B$/i.exec(text) ?? [];
  const number = size === '' ? undefined : toNumber(size);
  return number === undefined ? undefined : number * 1000 ** ['', 'k', 'm', 'g', 't'].indexOf(unit.toLowerCase());
}

/** A date in the order of its parts, so that it can be compared as a text; other texts without their case. */
function isoDate(text: string): string {
  const [, day = '', month = '', year = ''] = /^(\d{1,2})[./](\d{1,2})[./](\d{4})$/.exec(text) ?? [];
  return year === '' ? text.toLowerCase() : `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
}
