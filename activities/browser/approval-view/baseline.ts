import type { ApprovalView } from '../../../contracts/browsers/approval-view';
import type { ApprovedRequest } from '../../../contracts/browsers/approved-request';
import { boundText, hasSameStillNumbers, movingPlaces, type MovingPlace } from './moving-texts';
import { looksAlike, movingPlacesIn } from './pixel-difference';
import type { RegionBox } from './rendered-page';
import type { Sight } from './sight';

/** What a person was asked about: the page as it was, with what changed on it by itself before that. Sealed in the store. */
export interface Baseline {
  sight: Sight;
  moving: MovingPlace[];
  /** Parts of the region's picture that move. */
  movingParts: RegionBox[];
  /** Names of hidden fields that had another value of the same kind before the question. */
  nonces: string[];
  /** The request that would have left instead of what was shown, where there was one: the yes is to that. */
  request?: ApprovedRequest | undefined;
  /** As it was shown; secrets are masked. */
  view: Omit<ApprovalView, 'screenshotId'>;
}

type Comparable = Omit<Baseline, 'view' | 'request'>;

/** Learns from reads of the same page, oldest first, of which the last is the one to be shown. */
export function learnBaseline(sights: readonly Sight[], earlier: readonly Sight[]): Comparable {
  const sight = sights.at(-1)!;
  const pictures = sights.flatMap(({ picture }) => picture ?? []);
  return {
    sight,
    moving: movingPlaces(sights),
    movingParts: movingPlacesIn(pictures.toReversed()),
    nonces: noncesIn([...earlier, ...sights]),
  };
}

/** Whether the page reads and looks as it did: what moved before the question may go on moving. */
export function isAsShown(before: Comparable, now: Sight): boolean {
  return readsAlike(before, now) && looksLike(before, now);
}

/** Whether all that is bound as text is the same. */
export function readsAlike({ sight, moving, nonces }: Comparable, now: Sight): boolean {
  const textOf = ({ region }: Sight): string => region.map((run) => boundText(run, moving)).join(' ');
  if (sight.submitsTo !== now.submitsTo || textOf(sight) !== textOf(now)) return false;
  if (!hasSameStillNumbers(sight.elsewhere, now.elsewhere, moving)) return false;
  const isReloaded = sight.loadedAt !== now.loadedAt;
  const isNonce = (name: string, was: string, is: string): boolean =>
    isTextRedrawn(was, is) && (nonces.includes(name) || (isReloaded && NONCE_NAME.test(name)));
  const fieldsAlike = pairs(sight.fields, now.fields).every(
    ([was, is]) =>
      was !== undefined &&
      is !== undefined &&
      was.label === is.label &&
      (was.value === is.value || (was.isHidden && is.isHidden && isNonce(is.name, was.value, is.value))),
  );
  const hidden = new Set(sight.fields.flatMap(({ name, isHidden }) => (isHidden ? [name] : [])));
  const shown = new Set(sight.fields.flatMap(({ name, isHidden }) => (isHidden ? [] : [name])));
  const entriesAlike = pairs(sight.entries, now.entries).every(([was, is]) => {
    if (was === undefined || is === undefined || was[0] !== is[0]) return false;
    const isHidden = hidden.has(is[0]) || !shown.has(is[0]);
    return was[1] === is[1] || (isHidden && isNonce(is[0], was[1], is[1]));
  });
  return fieldsAlike && entriesAlike;
}

function looksLike({ sight, moving, movingParts }: Comparable, { picture: now }: Sight): boolean {
  const before = sight.picture;
  if (before === undefined || now === undefined) return true;
  const isMoving = new Set(moving.map(({ path }) => path));
  const timers = new Set(sight.region.flatMap(({ path, isTimer }) => (isTimer === true ? [path] : [])));
  const movingTexts = [before, now].flatMap(({ runs }) =>
    runs.flatMap(([path, { x, y, width, height }]) =>
      // The last figure may be wider than it was.
      isMoving.has(path) || timers.has(path) ? [{ x: x - 4, y: y - 2, width: width + 24, height: height + 4 }] : [],
    ),
  );
  return looksAlike(before, now, [...before.ignored, ...now.ignored, ...movingParts, ...movingTexts]);
}

/** Names of fields that nobody decides on; they are believed only where the page was loaded anew. */
const NONCE_NAME = /csrf|xsrf|token|nonce|authenticity|viewstate|eventvalidation|captcha/i;
const OPAQUE = /^[\w+/=.~-]{16,}$/;
/** Two texts that were drawn by chance have hardly a letter at the same place. */
const LEAST_DIFFERENCE = 0.6;

/** Whether one was drawn by chance as the other was: long, of letters and digits, and different almost everywhere. */
export function isTextRedrawn(was: string, is: string): boolean {
  const areOpaque = [was, is].every((each) => OPAQUE.test(each) && /[a-z]/i.test(each) && /\d/.test(each));
  if (!areOpaque || Math.abs(was.length - is.length) > 2 + was.length / 10) return false;
  const length = Math.min(was.length, is.length);
  const differing = Array.from({ length }, (_, index) => is[index] !== was[index]).filter((differs) => differs).length;
  return differing >= length * LEAST_DIFFERENCE;
}

function noncesIn(sights: readonly Sight[]): string[] {
  const values = new Map<string, string[]>();
  for (const { fields, entries } of sights) {
    const hidden = fields.flatMap(({ name, value, isHidden }): [string, string][] => (isHidden ? [[name, value]] : []));
    const visible = new Set(fields.flatMap(({ name, isHidden }) => (isHidden ? [] : [name])));
    for (const [name, value] of [...hidden, ...entries.filter(([name]) => !visible.has(name))])
      values.set(name, [...(values.get(name) ?? []), value]);
  }
  return [...values].flatMap(([name, each]) =>
    new Set(each).size > 1 && each.every((value) => value === each[0] || isTextRedrawn(each[0]!, value)) ? [name] : [],
  );
}

function pairs<T>(before: readonly T[], now: readonly T[]): [T | undefined, T | undefined][] {
  return Array.from({ length: Math.max(before.length, now.length) }, (_, index) => [before[index], now[index]]);
}
