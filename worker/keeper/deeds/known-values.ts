import type { ApprovedDeed } from '../../../contracts/browsers/approved-request';
import { UNREADABLE_BODY } from './request-values';

/** What a person was shown, or a page held around the element, for comparing it with the values of a request. */
export interface KnownValues {
  /** Whether a value says nothing new: all its numbers and names were there, or nobody decides on it. */
  explains(value: string): boolean;
  has(value: string): boolean;
}

/** Switches, and what stands for nothing. */
const PLAIN = new Set(['', '0', '1', '-1', 'true', 'false', 'null', 'undefined', 'on', 'off', 'yes', 'no']);
const CHECKED = new Set(['on', 'yes', 'true']);
const NUMBER = /\p{N}(?:[\p{N}.,'’\u00a0\u202f]*\p{N})?/gu;
const WORD = /[\p{L}\p{M}\p{N}_@]+/gu;
/** How programs write the names of their own things. */
const CONSTANT = /^(?:[a-z_]+|[A-Z_]+)$/;
const NOT_FAR_MS = 2 * 24 * 3600 * 1000;

export function knownValues({ entries, fields, shown }: ApprovedDeed): KnownValues {
  const texts = [...entries, ...fields].map(([, value]) => value).concat(shown);
  const whole = new Set(texts.map(plain));
  const numbers = new Set(texts.flatMap(numbersIn).flatMap(readingsOf));
  const words = new Set(texts.flatMap(wordsIn));
  const has = (value: string): boolean => whole.has(plain(value));
  return {
    has,
    explains(value) {
      if (value === UNREADABLE_BODY) return false;
      if (PLAIN.has(plain(value)) || has(value) || isDrawnByChance(value) || isTime(value)) return true;
      if (!numbersIn(value).every((number) => readingsOf(number).some((each) => numbers.has(each)))) return false;
      return (value.replaceAll(NUMBER, ' ').match(WORD) ?? []).every(
        (word) => CONSTANT.test(word) || words.has(word.toLowerCase()),
      );
    },
  };
}

/** Whether two values are the same for whoever reads them: 10 and 10.00 are. */
export function isSameValue(one: string, other: string): boolean {
  if (plain(one) === plain(other) || [one, other].every((each) => CHECKED.has(plain(each)))) return true;
  const [a, b] = [one, other].map((each) => (/^\s*[\d.,'’]+\s*$/.test(each) ? readingsOf(each.trim()) : []));
  return a!.length > 0 && a!.length === 1 && b!.length === 1 && a![0] === b![0];
}

/** Long, and letters and digits in no order: an id, a token or a digest. Nobody decides on one. */
export function isDrawnByChance(value: string): boolean {
  if (/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(value)) return true;
  const parts = value.split(/[.:]/);
  return parts.some((part) => isMixed(part)) && parts.every((part) => isMixed(part) || /^[\w-]{16,}={0,2}$/.test(part));
}

function isMixed(part: string): boolean {
  if (!/^[\w+/-]{16,}={0,2}$/.test(part)) return false;
  return (part.match(/\d[a-z]|[a-z]\d/gi) ?? []).length >= 3 && !/[a-z]{6}|\d{8}/i.test(part);
}

/** About now: a clock of the page, in whichever unit. */
export function isTime(value: string, now = Date.now()): boolean {
  const number = /^\d{10}(?:\.\d+)?$/.test(value)
    ? Number(value) * 1000
    : /^\d{13}(?:\.\d+)?$/.test(value)
      ? Number(value)
      : NaN;
  const at = Number.isNaN(number) && /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(value) ? Date.parse(value) : number;
  return Math.abs(at - now) < NOT_FAR_MS;
}

function plain(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim().toLowerCase();
}

function numbersIn(text: string): string[] {
  return text.match(NUMBER) ?? [];
}

function wordsIn(text: string): string[] {
  return (text.match(WORD) ?? []).map((word) => word.toLowerCase());
}

/** What a number may mean: 1.000 is one or a thousand, by the country. */
function readingsOf(number: string): string[] {
  const digits = number.replaceAll(/['’\u00a0\u202f]/g, '').normalize('NFKC');
  const readings = new Set<number>();
  if (!digits.includes(',') || /^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(digits))
    readings.add(Number(digits.replaceAll(',', '')));
  if (digits.includes(',') || /^\d{1,3}(?:\.\d{3})+$/.test(digits))
    readings.add(Number(digits.replaceAll('.', '').replace(',', '.')));
  return [...readings].filter((each) => !Number.isNaN(each)).map(String);
}
