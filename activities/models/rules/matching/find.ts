import type { Description, Reading } from '../grammar/description';
import { LEVELS, levelOf, type Level } from './name-match';
import { nearLandmarks } from './landmarks';
import { ancestors, isInside, nearestNamed, type Item, type Page } from './page-index';
import { rankAs, TO_SEE, type Purpose } from './purpose';

export type Found = { kind: 'one'; item: Item } | { kind: 'several'; items: Item[] } | { kind: 'none' };

const RANKS = [0, 1, 2] as const;

/** Finds the control that fits a description best. Two that fit equally well are `several`: nothing is guessed. */
export function find(page: Page, description: Description, purpose: Purpose): Found {
  const items = bestMatches(page, description.readings, purpose);
  if (items.length === 0 && purpose.kinds === 'buttons and links') return byText(page, description);
  return toFound(items);
}

export function toFound(items: readonly Item[]): Found {
  const [item] = items;
  if (item === undefined) return { kind: 'none' };
  return items.length === 1 ? { kind: 'one', item } : { kind: 'several', items: [...items] };
}

/** Finds the exact text, which may be clicked where no control has that name. */
function byText(page: Page, description: Description): Found {
  const items = description.readings.flatMap((reading) =>
    reading.name === undefined || reading.role || reading.isGuess ? [] : candidates(page, reading, TO_SEE, 2, 0),
  );
  const targets = new Set(items.flatMap((item) => nearestNamed(item) ?? []));
  return toFound(preferUsable([...targets], undefined));
}

/** The items of the strongest level at which a reading matches any. */
export function bestMatches(page: Page, readings: readonly Reading[], purpose: Purpose): Item[] {
  for (const level of LEVELS) {
    for (const reading of readings) {
      if (
        (reading.isGuess || reading.name === undefined) &&
        level < LEVELS.length &&
        (reading.isGuess || hasNamed(readings))
      )
        continue;
      for (const rank of RANKS) {
        const items = candidates(page, reading, purpose, level, rank);
        if (items.length > 0) return items;
      }
    }
  }
  return [];
}

function hasNamed(readings: readonly Reading[]): boolean {
  return readings.some((reading) => reading.name !== undefined && !reading.isGuess && !reading.near);
}

function candidates(page: Page, reading: Reading, purpose: Purpose, level: Level, rank: number): Item[] {
  let items = page.items.filter((item) => {
    if (rankAs(item, reading.role, purpose) !== rank) return false;
    return reading.name === undefined || (levelOf(item, reading.name) ?? Infinity) <= level;
  });
  if (items.length > 0 && reading.near) {
    const landmarks = landmarksFor(page, reading.near.landmark);
    items = nearLandmarks(page, items, landmarks, reading.near.isInside || reading.ordinal !== undefined);
  }
  if (reading.ordinal === undefined) return preferUsable(items, reading.name);
  const countable = withoutOuter(items.filter((item) => !item.isHidden));
  const counted = reading.name === undefined ? preferred(countable, isContent) : countable;
  return counted.slice(
    reading.ordinal < 0 ? -1 : reading.ordinal - 1,
    reading.ordinal < 0 ? undefined : reading.ordinal,
  );
}

/** Finds landmarks: anything with a name or text. The word for its kind is dropped where the page has nothing of that kind. */
function landmarksFor(page: Page, readings: readonly Reading[]): Item[] {
  const items = bestMatches(page, readings, TO_SEE);
  if (items.length > 0) return items;
  const kindless = readings.flatMap(({ role, ...reading }) => (role && reading.name !== undefined ? [reading] : []));
  return bestMatches(page, kindless, TO_SEE);
}

/** Prefers, among items of equal name, visible ones, enabled ones, those in a dialog, and those of the exact spelling. */
function preferUsable(items: readonly Item[], name: string | undefined): Item[] {
  let narrowed = withoutOuter(items);
  for (const isPreferred of [isVisible, isEnabled, isInDialog, (item: Item) => item.label === name]) {
    narrowed = preferred(narrowed, isPreferred);
  }
  const [first] = narrowed;
  const url = first?.node?.url;
  const leadsAlike = url !== undefined && narrowed.every((item) => item.role === 'link' && item.node?.url === url);
  return first && leadsAlike ? [first] : narrowed;
}

function preferred(items: readonly Item[], isPreferred: (item: Item) => boolean): Item[] {
  const some = items.filter(isPreferred);
  return some.length > 0 ? some : [...items];
}

/** Removes items that contain another matching item. */
function withoutOuter(items: readonly Item[]): Item[] {
  return items.filter((item, at) => {
    const next = items[at + 1];
    return next === undefined || !isInside(next, item);
  });
}

const isVisible = (item: Item): boolean => !item.isHidden;
const isEnabled = (item: Item): boolean => item.node?.disabled !== true;
const isInDialog = (item: Item): boolean =>
  [...ancestors(item)].some(({ role }) => role === 'dialog' || role === 'alertdialog');
/** Excludes the site's navigation, for "the first result". */
const isContent = (item: Item): boolean =>
  ![...ancestors(item)].some(({ role }) => role === 'navigation' || role === 'banner' || role === 'contentinfo');
