import type { Run, Sight } from './sight';

/**
 * A place whose text changed by itself before anybody was asked. A count or a clock changes its digits alone; a place of
 * other contents, such as an advertisement, changes its words.
 */
export interface MovingPlace {
  path: string;
  /** What the texts were without their digits; absent where the words change. */
  words?: string | undefined;
  /** The largest number that it had. */
  most: number;
}

const CURRENCY = String.raw`[$€£¥₹₽₩₺₫₴₪]|(?:EUR|USD|GBP|CHF|JPY|CNY|INR|CAD|AUD|SEK|NOK|DKK|PLN|CZK|HUF|BRL|MXN|TRY|BTC|ETH)\b`;
const AMOUNT = new RegExp(`(?:${CURRENCY})\\s?\\d[\\d.,'\u00a0 ]*|\\d[\\d.,'\u00a0 ]*(?:${CURRENCY})`, 'g');
const NUMBERS = /\p{N}(?:[\p{N}.,'’٬٫\u00a0\u202f]*\p{N})?/gu;
const TIME =
  /\b\d{1,3}(?::\d{2}){1,3}(?:[.,]\d+)?\b|\b\d+\s?(?:d|h|m|s|ms|min|mins|sec|secs|days?|hours?|minutes?|seconds?)\b/giu;
/** What a count that goes on may come to until the answer. */
const limitOf = (most: number): number => 2 * most + 10;

/** Sums of money in a text, as they are written. */
export function amountsIn(text: string): string[] {
  return (text.match(AMOUNT) ?? []).map((each) => each.trim());
}

/** The numbers of a text, without the marks of thousands that no reader takes for others. */
export function numbersIn(text: string): string[] {
  return (text.match(NUMBERS) ?? []).map((each) => each.replaceAll(/['’\u00a0\u202f]/g, ''));
}

function withoutDigits(text: string): string {
  return text.replaceAll(TIME, '#').replaceAll(NUMBERS, '#');
}

function largestIn(text: string): number {
  return Math.max(0, ...numbersIn(text.replaceAll(TIME, '')).map((each) => Number(each.replaceAll(',', '')) || 0));
}

/** Finds the places that changed between these reads, oldest first. A sum of money is never one: who sees it counts on it. */
export function movingPlaces(sights: readonly Sight[]): MovingPlace[] {
  const texts = new Map<string, string[]>();
  for (const [index, { region, elsewhere }] of sights.entries())
    for (const { path, text } of [...region, ...elsewhere]) {
      const known = texts.get(path) ?? sights.map(() => '');
      known[index] += ` ${text}`;
      texts.set(path, known);
    }
  return [...texts].flatMap(([path, each]): MovingPlace[] => {
    const distinct = new Set(each);
    if (distinct.size === 1 || each.some((text) => amountsIn(text).length > 0)) return [];
    const words = new Set(each.map(withoutDigits));
    const most = Math.max(...each.map(largestIn));
    return [{ path, most, ...(words.size === 1 ? { words: [...words][0]!.trim() } : {}) }];
  });
}

/** What of a text of the region a person's yes is bound to: all of it, but for what counts by itself. */
export function boundText({ path, text, isTimer }: Run, moving: readonly MovingPlace[]): string {
  if (amountsIn(text).length > 0) return text;
  const place = moving.find((each) => each.path === path);
  if (place?.words !== undefined && largestIn(text) <= limitOf(place.most)) return withoutDigits(text);
  return isTimer === true ? text.replaceAll(TIME, '#') : text;
}

/**
 * Whether the texts elsewhere have the numbers that they had, and what can't be edited there is the same. More may have come
 * only where something moves.
 */
export function hasSameStillNumbers(
  before: readonly Run[],
  now: readonly Run[],
  moving: readonly MovingPlace[],
): boolean {
  const still = before.filter((run) => !isMoving(run, moving));
  const left = now.flatMap((run) => numbersOf(run).map((number) => ({ number, run })));
  for (const number of still.flatMap(numbersOf)) {
    // Where there are two of a number, the one that moves may have come by chance.
    const equal = left.filter((each) => each.number === number);
    const found = equal.find(({ run }) => !isMoving(run, moving)) ?? equal[0];
    if (found === undefined) return false;
    left.splice(left.indexOf(found), 1);
  }
  return left.every(({ run }) => isMoving(run, moving) || isBesideMoving(run, moving));
}

function numbersOf({ text, isTimer, isResult }: Run): string[] {
  return isResult === true ? [text] : numbersIn(isTimer === true ? text.replaceAll(TIME, '') : text);
}

function isMoving({ path, text }: Run, moving: readonly MovingPlace[]): boolean {
  if (amountsIn(text).length > 0) return false;
  return moving.some(
    (place) => place.path === path && (place.words === undefined || largestIn(text) <= limitOf(place.most)),
  );
}

/** Where words change, what comes beside them changes with them: in the same element, or in the one around it. */
function isBesideMoving({ path, text }: Run, moving: readonly MovingPlace[]): boolean {
  if (amountsIn(text).length > 0) return false;
  return moving.some(({ path: changed, words }) => {
    const element = changed.replace(/>#TEXT[^>]*$/, '');
    const around = [element, element.slice(0, element.lastIndexOf('>'))];
    return words === undefined && around.some((each) => !WHOLE_PAGE.test(each) && path.startsWith(`${each}>`));
  });
}

const WHOLE_PAGE = /(?:^|>)(?:BODY|HTML)[^>]*$/;
