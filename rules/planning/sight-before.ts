import { createHash } from 'node:crypto';
import type { AIGeneratedCommand } from '../../contracts/commands/commands';
import { refIn } from '../page-text/durable-target';
import type { PastIteration } from '../../contracts/model-port/port';
import { ancestors, isField, isInside, type Item, type Page } from '../matching/page-index';

/** The page before some commands: what their own fields hold does not count as an effect of the click after them. */
interface Sight {
  digest: string;
  /** Indexes of the elements that the commands fill in. */
  filled: number[];
  /** Digest of what is drawn around the control that is clicked. */
  drawing?: string | undefined;
  shown?: Shown | undefined;
}

/** Digests of what each item shows, of its words and then of its figures; absent for long pages. */
type Shown = string[];

/** The page after a click, at the beginning of a time in which nothing is done to it. */
export interface SecondLook {
  shown: Shown;
  drawing?: string | undefined;
}

const MOST_COMPARED = 600;
/** A clock or a carousel changes no more items than that. */
const MOST_CHANGED = 8;
const DIGITS = 5;
const EMPTY = '-';

/** The page as it is before a click at the end of some commands; undefined for other commands. */
export function sightBefore(page: Page, commands: readonly AIGeneratedCommand[]): Sight | undefined {
  if (commands.at(-1)?.action !== 'CLICK_ELEMENT') return undefined;
  const refs = commands.slice(0, -1).map(({ parameters }) => refIn(parameters.selector ?? ''));
  const filled = page.items.filter(({ node }) => node?.ref !== undefined && refs.includes(node.ref));
  const indexes = filled.map(({ index }) => index);
  const clicked = refIn(commands.at(-1)!.parameters.selector ?? '');
  const drawing = page.items.find(({ node }) => clicked !== undefined && node?.ref === clicked)?.node?.drawing;
  return { digest: digestOf(page, indexes), filled: indexes, drawing, shown: shownOn(page, indexes) };
}

/** Whether the page reads as before, but for the fields that were filled in before the click. */
export function readsAsBefore(page: Page, last: PastIteration): boolean {
  const sight = sightIn(last);
  return sight !== undefined && digestOf(page, sight.filled) === sight.digest;
}

/** Whether pictures around the clicked control are others than before the click, or elsewhere. */
export function isRedrawn({ node }: Item, last: PastIteration): boolean {
  return sightIn(last) !== undefined && sightIn(last)!.drawing !== node?.drawing;
}

/** Whether the page itself says that the click changed the item: it did so within the events of the click. */
export function isChangedByClick(item: Item): boolean {
  return (item.node ?? item.parent?.node)?.changedByClick === true;
}

/**
 * What has changed with a click, where a clock or a carousel would change the page as little: figures, or words and
 * pictures, of a few items away from the control. Undefined where the click must have done it.
 */
export function slightChange(page: Page, item: Item, click: PastIteration): 'figures' | 'words' | undefined {
  const before = sightIn(click);
  const now = shownOn(page, before?.filled ?? []);
  if (before?.shown === undefined || now?.length !== before.shown.length) return undefined;
  if (isChangedByClick(item)) return undefined;
  const changed = differences(before.shown, now);
  if (changed.length === 0) return isRedrawn(item, click) ? 'words' : undefined;
  const isOwn = (index: number): boolean =>
    isInside(page.items[index]!, item) ||
    isChangedByClick(page.items[index]!) ||
    before.shown![index]!.endsWith(EMPTY) ||
    isMessage(page.items[index]!);
  if (changed.length > MOST_CHANGED || changed.some(isOwn)) return undefined;
  const areFigures = changed.every((index) => now[index]!.slice(0, DIGITS) === before.shown![index]!.slice(0, DIGITS));
  return areFigures && !isRedrawn(item, click) ? 'figures' : 'words';
}

export function secondLook(page: Page, { node }: Item, click: PastIteration): SecondLook {
  return { shown: shownOn(page, sightIn(click)?.filled ?? []) ?? [], drawing: node?.drawing };
}

export function secondLookIn({ context }: Pick<PastIteration, 'context'>): SecondLook | undefined {
  const look = context?.['secondLook'] as Partial<SecondLook> | undefined;
  return Array.isArray(look?.shown) ? (look as SecondLook) : undefined;
}

/** Whether all that differs from before the click has changed again since, while nothing was done to the page. */
export function changesByItself(
  page: Page,
  { node }: Item,
  click: PastIteration,
  looks: readonly SecondLook[],
): boolean {
  const before = sightIn(click);
  const now = shownOn(page, before?.filled ?? []);
  if (before?.shown === undefined || now === undefined || looks.length === 0) return false;
  const all = [...looks, { shown: now, drawing: node?.drawing }];
  if (all.some(({ shown }) => shown.length !== before.shown!.length)) return false;
  const pairs = all.slice(1).map((look, index) => [all[index]!, look] as const);
  const restless = new Set(pairs.flatMap(([one, other]) => differences(one.shown, other.shown)));
  const isRedrawnByItself = pairs.some(([one, other]) => one.drawing !== other.drawing);
  const changed = all.flatMap(({ shown }) => differences(before.shown!, shown));
  const isRedrawnAtAll = all.some(({ drawing }) => drawing !== before.drawing);
  return changed.every((index) => restless.has(index)) && (!isRedrawnAtAll || isRedrawnByItself);
}

function differences(one: Shown, other: Shown): number[] {
  return one.flatMap((digest, index) => (digest === other[index] ? [] : [index]));
}

const MESSAGES = /^(?:status|alert|log)$/;

function isMessage(item: Item): boolean {
  return [item, ...ancestors(item)].some(({ role }) => MESSAGES.test(role));
}

function shownOn({ items }: Page, filled: readonly number[]): Shown | undefined {
  if (items.length > MOST_COMPARED) return undefined;
  return items.map((item) => {
    const facts = JSON.stringify(factsOf(item, filled));
    const figures = facts.match(/\d+/g)?.join(' ') ?? '';
    const isEmpty = item.label === '' && item.text === '';
    return `${hashOf(facts.replaceAll(/\d+/g, '0'), DIGITS)}${hashOf(figures, DIGITS)}${isEmpty ? EMPTY : ''}`;
  });
}

function sightIn({ context }: PastIteration): Sight | undefined {
  const sight = context?.['sight'] as Partial<Sight> | undefined;
  return typeof sight?.digest === 'string' && Array.isArray(sight.filled) ? (sight as Sight) : undefined;
}

/** What a reader sees of the page. */
function digestOf({ url, title, items }: Page, filled: readonly number[]): string {
  return hashOf(JSON.stringify([url, title, items.map((item) => factsOf(item, filled))]), 22);
}

/** What a reader sees of an item. The focus counts only in fields, because every click moves it. */
function factsOf(item: Item, filled: readonly number[]): unknown {
  if (filled.includes(item.index)) return item.role;
  const { name, text, checked, selected, expanded, pressed, disabled, active, ariaHidden, value, invalid } =
    item.node ?? {};
  const own = item.node === undefined ? item.text : text;
  return [
    item.role,
    name,
    own,
    checked,
    selected,
    expanded,
    pressed,
    disabled,
    ariaHidden,
    value,
    invalid,
    isField(item) && active,
  ];
}

function hashOf(text: string, length: number): string {
  return createHash('sha256').update(text).digest('base64').slice(0, length);
}
