import { ANY_ENTRY } from '../language/verbs/expect-count';
import type { Intent } from '../language/intent';
import { stemOf } from '../language/stems';
import { stemsIn, wordsOf } from '../language/words';
import { surroundingsOf } from './entry';
import { ancestors, isInside, itemsInside, type Item, type Page } from './page-index';
import { asOnPage } from './page-words';
import { FREE_KINDS, kindsMade } from './word-regions';

/** A table, a list, or what holds articles, with the role of its entries. */
interface Group {
  item: Item;
  role: 'row' | 'listitem' | 'article';
}

/** The groups of entries of the page that a count can be of: their names, headings and place have all words that are said. */
export function groupsCounted(page: Page, { noun, place }: Intent & { kind: 'expect-count' }): Group[] {
  const stem = stemOf(noun);
  const words = place === undefined ? [] : asOnPage(page, wordsOf(place, false), false);
  const wanted = words.filter((word) => word.isQuoted === true || !FREE_KINDS.test(word.stem));
  const has = (names: ReadonlySet<string>): boolean =>
    wanted.every((word) =>
      word.isQuoted === true
        ? stemsIn(word.said).every((each) => names.has(each))
        : [word.stem, ...(word.also ?? [])].some((each) => names.has(each)),
    );
  const groups = groupsOf(page);
  const called = groups.filter(({ item }) => has(ownNamesOf(page, item)));
  const placed = called.length > 0 ? called : groups.filter(({ item }) => has(namesOf(page, item)));
  const ofKind = placed.filter(({ role }) => (stem === 'row' ? role === 'row' : true));
  if (ANY_ENTRY.test(stem)) return withoutNavigation(ofKind, wanted.length > 0);
  return ofKind.filter(({ item }) => ownNamesOf(page, item).has(stem));
}

/** “Queued 3”: the only heading of the place that is named, where it has one number, and the page is of such things. */
export function headingThatCounts(page: Page, { noun, place }: Intent & { kind: 'expect-count' }): Item | undefined {
  const wanted = stemsIn(place ?? '').filter((stem) => !FREE_KINDS.test(stem));
  const stem = stemOf(noun);
  const isOfPage = ANY_ENTRY.test(stem) || stemsIn(page.title).includes(stem) || kindsMade(page).has(stem);
  if (wanted.length === 0 || !isOfPage) return undefined;
  const headings = page.items.filter(
    ({ role, text, isHidden }) =>
      role === 'heading' &&
      !isHidden &&
      wanted.every((each) => stemsIn(text).includes(each)) &&
      text.match(/\d+/g)?.length === 1,
  );
  return headings.length === 1 ? headings[0] : undefined;
}

/** Whether the page itself says such a count, as “4 articles”. */
export function saysCount(page: Page, noun: string): boolean {
  const said = new RegExp(`(?:^|\\b)\\d+\\s+${noun.replace(/s$/, '')}s?\\b`, 'i');
  return page.items.some(({ children, text, isHidden }) => children.length <= 1 && !isHidden && said.test(text));
}

function groupsOf(page: Page): Group[] {
  const groups = page.items.flatMap((item): Group[] => {
    if (item.isHidden || item.node?.ref === undefined) return [];
    const inside = itemsInside(page, item);
    if (/^(?:table|grid|treegrid)$/.test(item.role))
      return inside.some(({ role }) => role === 'row') ? [{ item, role: 'row' }] : [];
    if (item.role === 'list')
      return item.children.some(({ role }) => role === 'listitem') ? [{ item, role: 'listitem' }] : [];
    return item.children.some(({ role }) => role === 'article') ? [{ item, role: 'article' }] : [];
  });
  // What has lists in its entries counts more than its own.
  return groups.filter(
    ({ item, role }) =>
      !groups.some((other) => other.item !== item && other.role === role && isInside(other.item, item)),
  );
}

/** All that names a group: itself, and what stands above it. */
function namesOf(page: Page, item: Item): Set<string> {
  return new Set([...ownNamesOf(page, item), ...surroundingsOf(page, item).section]);
}

/** What a group itself is called: by its name, its heads, or the heading right above it. */
function ownNamesOf(page: Page, item: Item): Set<string> {
  const heads = itemsInside(page, item).filter(({ role }) => role === 'columnheader' || role === 'caption');
  const heading = page.items.slice(0, item.index).findLast(({ role, isHidden }) => role === 'heading' && !isHidden);
  return new Set(stemsIn([item.node?.name ?? '', heading?.text ?? '', ...heads.map(({ text }) => text)].join(' ')));
}

const withoutNavigation = (groups: readonly Group[], isPlaced: boolean): Group[] =>
  groups.filter(({ item }) => isPlaced || ![...ancestors(item)].some(({ role }) => role === 'navigation'));
