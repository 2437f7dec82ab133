import { isTextRedrawn, type Comparable } from './baseline';
import { boundText, hasSameStillNumbers } from './moving-texts';
import { looksAlike } from './pixel-difference';
import type { Sight } from './sight';

/** Names of fields that nobody decides on; they are believed only where the page was loaded anew. */
const NONCE_NAME = /csrf|xsrf|token|nonce|authenticity|viewstate|eventvalidation|captcha/i;

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

function pairs<T>(before: readonly T[], now: readonly T[]): [T | undefined, T | undefined][] {
  return Array.from({ length: Math.max(before.length, now.length) }, (_, index) => [before[index], now[index]]);
}
