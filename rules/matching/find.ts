import type { Description, Reading } from '../language/description';
import type { RoleWord } from '../language/role-words';
import { LEVELS, levelOf, type Level } from './name-match';
import { nearLandmarks } from './landmarks';
import { ancestors, isInside, nearestNamed, type Item, type Page } from './page-index';
import { rankAs, TO_SEE, type Purpose } from './purpose';

export type Found = { kind: 'one'; item: Item } | { kind: 'several'; items: Item[] } | { kind: 'none' };

const RANKS = [0, 1, 2] as const;

/** Finds the control that fits a description best. Two that fit equally well are `several`: nothing is guessed. */
export function find(page: Page, description: Description, purpose: Purpose): Found {
  for (const readings of placedReadings(description)) {
    const items = bestMatches(page, readings, purpose);
    if (items.length > 0) return toFound(items);
    const shown = purpose.kinds === 'buttons and links' ? byText(page, readings) : [];
    if (shown.length > 0) return toFound(shown);
  }
  return { kind: 'none' };
}

/** How many things of the page an ordinal of the description counts. */
export function countOf(page: Page, description: Description, purpose: Purpose): number {
  for (const readings of placedReadings(description))
    for (const reading of readings)
      if (reading.ordinal !== undefined)
        for (const rank of RANKS) {
          const counted = countable(page, reading, purpose, LEVELS.length, rank);
          if (counted.length > 0) return counted.length;
        }
  return 0;
}

/** All that match a description equally well. */
export function findCandidates(page: Page, description: Description, purpose: Purpose): Item[] {
  const found = find(page, description, purpose);
  return found.kind === 'one' ? [found.item] : found.kind === 'several' ? found.items : [];
}

/** All that "both fields" or "every checkbox" means; undefined for "both" where there are not two. */
export function findEvery(page: Page, description: Description, purpose: Purpose): Item[] | undefined {
  const [readings = []] = placedReadings(description);
  const matching = readings.flatMap((reading) =>
    RANKS.flatMap((rank) => candidates(page, reading, purpose, LEVELS.length, rank)),
  );
  const found = [...new Set(matching)]
    .filter((item) => isVisible(item) && isEnabled(item))
    .sort((a, b) => a.index - b.index);
  return description.every === 'both' && found.length !== 2 ? undefined : found;
}

/** The readings of a description within its place; for a soft place then those without it. */
export function placedReadings({ readings, place }: Description): Reading[][] {
  if (place === undefined) return [readings];
  const { landmark, isInside, isSoft } = place;
  const placed = readings.map((reading) => {
    const near = reading.near && {
      ...reading.near,
      landmark: reading.near.landmark.map((each) => ({ ...each, near: each.near ?? place })),
    };
    return { ...reading, near: near ?? { isInside, landmark } };
  });
  return isSoft === true ? [placed, readings] : [placed];
}

export function toFound(items: readonly Item[]): Found {
  const [item] = items;
  if (item === undefined) return { kind: 'none' };
  return items.length === 1 ? { kind: 'one', item } : { kind: 'several', items: [...items] };
}

/** Finds the exact text, which may be clicked where no control has that name. */
function byText(page: Page, readings: readonly Reading[]): Item[] {
  const items = readings.flatMap((reading) =>
    reading.name === undefined || reading.role || reading.isGuess ? [] : candidates(page, reading, TO_SEE, 2, 0),
  );
  const targets = new Set(items.flatMap((item) => nearestNamed(item) ?? []));
  return preferUsable([...targets], undefined);
}

/** The items of the strongest level at which a reading matches any; guesses count where nothing else does. */
export function bestMatches(page: Page, readings: readonly Reading[], purpose: Purpose): Item[] {
  const sure = strongest(
    page,
    readings.filter(({ isGuess }) => isGuess !== true),
    purpose,
  );
  return sure.length > 0
    ? sure
    : strongest(
        page,
        readings.filter(({ isGuess }) => isGuess === true),
        purpose,
      );
}

function strongest(page: Page, readings: readonly Reading[], purpose: Purpose): Item[] {
  for (const level of LEVELS) {
    for (const reading of readings) {
      if (reading.isExact === true && level > EXACT) continue;
      if (reading.name === undefined && level < LEVELS.length && hasNamed(readings)) continue;
      for (const rank of RANKS) {
        const items = candidates(page, reading, purpose, level, rank);
        if (items.length > 0) return items;
      }
    }
  }
  return [];
}

/** The level of equal names, placeholders and texts. */
const EXACT = 2;

function hasNamed(readings: readonly Reading[]): boolean {
  return readings.some((reading) => reading.name !== undefined && !reading.isExact && !reading.near);
}

/** All that an ordinal of the reading would count. */
function countable(page: Page, reading: Reading, purpose: Purpose, strength: Level, rank: number): Item[] {
  return counted(matching(page, reading, purpose, strength, rank), reading);
}

function candidates(page: Page, reading: Reading, purpose: Purpose, strength: Level, rank: number): Item[] {
  const items = matching(page, reading, purpose, strength, rank);
  return reading.ordinal === undefined
    ? preferUsable(items, reading.name)
    : nthOf(counted(items, reading), reading.ordinal);
}

function matching(page: Page, reading: Reading, purpose: Purpose, strength: Level, rank: number): Item[] {
  const level = reading.isExact === true ? Math.min(strength, EXACT) : strength;
  let items = page.items.filter((item) => {
    if (rankAs(item, reading.role, purpose) !== rank) return false;
    // Without a name a button is no option, no switch and no menu.
    if (rank > 0 && reading.name === undefined && reading.role && isOnlyAlike(item, reading.role)) return false;
    return reading.name === undefined || (levelOf(item, reading.name) ?? Infinity) <= level;
  });
  items = ofLines(items, reading.role);
  if (items.length > 0 && reading.near) {
    const landmarks = landmarksFor(page, reading.near.landmark);
    items = nearLandmarks(page, items, landmarks, reading.near.isInside || reading.ordinal !== undefined);
  }
  return items;
}

function nthOf(items: readonly Item[], ordinal: number): Item[] {
  // Options are counted within their list, as nobody counts on in the next one.
  const groups = Map.groupBy(items, (item) => (OPTIONS.test(item.role) ? (listOf(item) ?? item.role) : undefined));
  return [...groups.values()].flatMap((group) =>
    group.slice(ordinal < 0 ? -1 : ordinal - 1, ordinal < 0 ? undefined : ordinal),
  );
}

/** What an ordinal counts: of entries and results no links to other pages of them. */
function counted(items: readonly Item[], { name, role }: Reading): Item[] {
  const shown = withoutOuter(items.filter((item) => !item.isHidden));
  if (name !== undefined) return shown;
  const own = role?.roles.includes('listitem') === true ? shown.filter((item) => !isPager(item)) : shown;
  return preferred(own, isContent);
}

/** A link to another page of a list, such as 2 or ›. */
function isPager({ role, text }: Item): boolean {
  return /^(?:listitem|link|button)$/.test(role) && PAGER.test(text.trim());
}

const PAGER =
  /^(?:\d{1,4}|[<>‹›«»←→…]{1,3}|(?:[‹«←<]\s*)?(?:next|previous|prev|first|last)(?:\s+page)?(?:\s*[›»→>])?)$/i;

/** "the text area" is a field of several lines where there is one, "the text box" one of a single line. */
function ofLines(items: readonly Item[], role: RoleWord | undefined): Item[] {
  if (role?.lines === undefined) return [...items];
  const isLong = ({ node }: Item): boolean => node?.states?.includes('multiline') === true;
  return preferred(items, (item) => isLong(item) === (role.lines === 'several'));
}

const isOnlyAlike = (item: Item, { roles }: RoleWord): boolean =>
  /^(?:button|link)$/.test(item.role) && /^(?:radio|switch|combobox|heading)$/.test(roles[0] ?? '');

const OPTIONS = /^(?:option|radio|menuitem|menuitemradio|menuitemcheckbox|tab)$/;
const listOf = (item: Item): Item | undefined =>
  [...ancestors(item)].find(({ role }) => /^(?:combobox|listbox|radiogroup|group|menu|menubar|tablist)$/.test(role));

/** Finds landmarks: anything with a name or text. The word for its kind is dropped where the page has nothing of that kind. */
function landmarksFor(page: Page, described: readonly Reading[]): Item[] {
  // "the card of Team" is where Team is: another card or row would be nearest to something else.
  const readings = described.flatMap((reading) =>
    reading.name === undefined && reading.near && reading.ordinal === undefined ? reading.near.landmark : [reading],
  );
  const items = bestMatches(page, readings, TO_SEE);
  if (items.length > 0) return items;
  const kindless = readings.flatMap(({ role, ...reading }) => (role && reading.name !== undefined ? [reading] : []));
  return bestMatches(page, kindless, TO_SEE);
}

/** Prefers, among items of equal name, visible ones, enabled ones, those in a dialog, and those of the exact spelling. */
function preferUsable(items: readonly Item[], name: string | undefined): Item[] {
  let narrowed = withoutOuter(items);
  for (const isPreferred of [isVisible, isEnabled, isAboveDialogs, isInDialog, (item: Item) => item.label === name]) {
    narrowed = preferred(narrowed, isPreferred);
  }
  const [first] = narrowed;
  const url = first?.node?.url;
  const leadsAlike =
    url !== undefined &&
    !/#$|^javascript:/i.test(url) &&
    narrowed.every((item) => item.role === 'link' && item.node?.url === url);
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
/** Not what a modal dialog makes inert: a click would not reach it. */
const isAboveDialogs = ({ node }: Item): boolean =>
  !/^(?:inert$|(?:behind|covered by) dialog)/.test(node?.unreachable ?? '');
const isInDialog = (item: Item): boolean =>
  [...ancestors(item)].some(({ role }) => role === 'dialog' || role === 'alertdialog');
/** Excludes the site's navigation, for "the first result". */
const isContent = (item: Item): boolean =>
  ![...ancestors(item)].some(({ role }) => role === 'navigation' || role === 'banner' || role === 'contentinfo');
