// cspell:ignore bfnrt
import { isUtf8 } from 'node:buffer';
import { decodeHTML } from 'entities';
import { PUNCTUATION_ENTITIES } from './folding';

/** A part of a text, as it is or without its escapes, with the way back. */
export interface DecodedText {
  text: string;
  /** Where each unit of it begins in the whole text, and where the last one ends; undefined where it is the whole text. */
  starts: Int32Array | undefined;
}

/** Escapes of URLs (also runs of bytes), HTML, JSON and JavaScript, at most once escaped again by more backslashes. */
const ESCAPES =
  /(?:%[0-9a-f]{2})+|%u[0-9a-f]{4}|&(?:#\d{1,7}|#x[0-9a-f]{1,6}|[a-z][a-z0-9]{1,30});|(?:\\{1,8}x[0-9a-f]{2})+|\\{1,8}(?:u[0-9a-f]{4}|u\{[0-9a-f]{1,6}\}|[bfnrt])/gi;
/** Quoted-printable. It could be anything in other texts, so that it is a way of reading of its own. */
const QUOTED_PRINTABLE = /(?:=[0-9A-F]{2})+|=\r?\n/gi;
/** Both, but for the entities that folding leaves out, unless they are the beginning of another one. */
const TO_DECODE = new RegExp(
  `(?!&(?:${PUNCTUATION_ENTITIES.join('|')})(?!#?\\w{1,31};))(?:${ESCAPES.source}|${QUOTED_PRINTABLE.source})`,
  'gi',
);
/** So often is a text escaped at most. */
const MOST_TIMES = 3;

/**
 * The text as it is, and each way of reading that the escapes in it allow, of the parts around them: once, twice and three
 * times decoded. A part has `reach` characters before and after an escape.
 */
export function readingsOf(text: string, reach: number): DecodedText[] {
  return [
    { text, starts: undefined },
    ...partsToDecode(text, reach).flatMap(([from, to]) => decodedPart(text, from, to)),
  ];
}

/** In order, none over another. */
function partsToDecode(text: string, reach: number): [from: number, to: number][] {
  const parts: [number, number][] = [];
  for (const { 0: escape, index } of text.matchAll(TO_DECODE)) {
    const [from, to] = [Math.max(0, index - reach), Math.min(text.length, index + escape.length + reach)];
    const last = parts.at(-1);
    if (last !== undefined && from <= last[1]) last[1] = to;
    else parts.push([from, to]);
  }
  return parts;
}

function decodedPart(text: string, from: number, to: number): DecodedText[] {
  const raw = { text: text.slice(from, to), starts: placesFrom(from, to) };
  const readings: DecodedText[] = [];
  for (let last = raw; readings.length < MOST_TIMES;) {
    const next = decoded(last, ESCAPES, decodeEscape);
    if (next === undefined) break;
    readings.push(next);
    last = next;
  }
  const printable = decoded(raw, QUOTED_PRINTABLE, decodeBytes);
  return printable === undefined ? readings : [...readings, printable];
}

/** Undefined where nothing is escaped. */
function decoded(
  { text, starts }: { text: string; starts: Int32Array },
  escapes: RegExp,
  decode: (escape: string) => string,
): { text: string; starts: Int32Array } | undefined {
  const matches = [...text.matchAll(escapes)];
  if (matches.length === 0) return undefined;
  const pieces: string[] = [];
  // An escape is never shorter than what it stands for.
  const back = new Int32Array(text.length + 1);
  let units = 0;
  let from = 0;
  for (const { 0: escape, index } of matches) {
    for (let at = from; at < index; at += 1) back[units++] = starts[at]!;
    const plain = decode(escape);
    for (let unit = 0; unit < plain.length; unit += 1) {
      // Each character of a run of bytes comes from about its share of the run.
      back[units++] = starts[index + Math.floor((unit * escape.length) / plain.length)]!;
    }
    pieces.push(text.slice(from, index), plain);
    from = index + escape.length;
  }
  for (let at = from; at <= text.length; at += 1) back[units++] = starts[at]!;
  pieces.push(text.slice(from));
  return { text: pieces.join(''), starts: back.subarray(0, units) };
}

function decodeEscape(escape: string): string {
  if (escape.startsWith('&')) return withinLength(decodeHTML(escape), escape);
  if (/^%u/i.test(escape)) return String.fromCharCode(Number.parseInt(escape.slice(2), 16));
  if (escape.startsWith('%')) return decodeBytes(escape);
  if (/^\\+x/i.test(escape)) return decodeBytes(escape);
  const digits = /^\\+u\{?([0-9a-f]+)/i.exec(escape)?.[1];
  return digits === undefined ? ' ' : fromPoint(Number.parseInt(digits, 16));
}

/** Bytes that are no UTF-8 are characters of Latin-1. */
function decodeBytes(escape: string): string {
  const bytes = Buffer.from(escape.replaceAll(/[=%\\x\r\n]/gi, ''), 'hex');
  return bytes.toString(isUtf8(bytes) ? 'utf8' : 'latin1');
}

function fromPoint(point: number): string {
  return point <= 0x10ffff ? String.fromCodePoint(point) : '';
}

function withinLength(plain: string, escape: string): string {
  return plain.length <= escape.length ? plain : escape;
}

function placesFrom(from: number, to: number): Int32Array {
  const places = new Int32Array(to - from + 1);
  for (let at = from; at <= to; at += 1) places[at - from] = at;
  return places;
}
