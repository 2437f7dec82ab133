/**
 * A text as its letters and digits alone, in lower case and compatibility form without marks: what a secret and its
 * disguises have in common. Each unit knows where it comes from.
 */
export interface FoldedText {
  text: string;
  /** Where the character that the unit comes from begins in the text that was folded. */
  startOf(unit: number): number;
}

/** Left out as what they stand for is. */
export const PUNCTUATION_ENTITIES = ['amp;', 'lt;', 'gt;', 'quot;', 'nbsp;', 'apos;', '#39;'] as const;
const AMPERSAND = 38;
const TAG_BEGIN = 60;
const TAG_END = 62;
/** Stands between texts that do not belong together; no fold of a character has it. */
export const BREAK = '\0';

/** Folds of ASCII: the character in lower case, or 0 where it is neither letter nor digit. */
const ASCII = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code).toLowerCase();
  return /[a-z0-9]/.test(character) ? character.charCodeAt(0) : 0;
});
const folds = new Map<number, string>();

/** Only one text is folded at a time, so all share the room; a larger one makes it anew. */
let units = new Uint16Array(1 << 14);
let starts = new Int32Array(1 << 14);
let count = 0;

/**
 * Folds a text. With `skipsTags` what stands before and after a tag belongs together, and the insides of tags follow,
 * each for itself. The result is valid until the next text is folded. Takes time linear in the length.
 */
export function foldText(source: string, skipsTags: boolean): FoldedText {
  count = 0;
  makeRoom(source.length * 2 + 64);
  const tags: number[] = [];
  foldPart(source, 0, source.length, skipsTags ? tags : undefined);
  for (let at = 0; at < tags.length; at += 2) {
    addUnit(0, tags[at]!);
    foldPart(source, tags[at]!, tags[at + 1]!, undefined);
  }
  const text = Buffer.from(units.buffer, 0, count * 2).toString('utf16le');
  return { text, startOf: (unit) => starts[unit]! };
}

/** The fold of one text by itself. */
export function folded(source: string): string {
  return foldText(source, false).text;
}

function foldPart(source: string, from: number, end: number, tags: number[] | undefined): void {
  for (let at = from; at < end;) {
    const code = source.charCodeAt(at);
    if (code >= 128) {
      at = addFold(source.codePointAt(at)!, at);
      continue;
    }
    const close = tags === undefined || code !== TAG_BEGIN ? 0 : tagEnd(source, at);
    if (close > 0) {
      tags!.push(at, close);
      at = close;
      continue;
    }
    const unit = ASCII[code]!;
    if (unit !== 0) addUnit(unit, at);
    at += code === AMPERSAND ? 1 + entityLength(source, at + 1) : 1;
  }
}

function entityLength(source: string, at: number): number {
  return PUNCTUATION_ENTITIES.find((entity) => source.startsWith(entity, at))?.length ?? 0;
}

function addFold(point: number, at: number): number {
  let fold = folds.get(point);
  if (fold === undefined) {
    fold = foldOf(String.fromCodePoint(point));
    folds.set(point, fold);
  }
  for (let unit = 0; unit < fold.length; unit += 1) addUnit(fold.charCodeAt(unit), at);
  return at + (point > 0xffff ? 2 : 1);
}

function foldOf(character: string): string {
  const plain = character.toWellFormed().normalize('NFKD').toUpperCase().toLowerCase().normalize('NFKD');
  return plain.replaceAll(/[^\p{L}\p{N}]/gu, '');
}

/** After the end of the tag that begins here; 0 where none does. A tag has no other `<`, so all of them take linear time. */
function tagEnd(source: string, from: number): number {
  const next = source.charCodeAt(from + 1) | 32;
  // A letter, `/` or `!`.
  if (!((next >= 97 && next <= 122) || next === 47 || next === 33)) return 0;
  for (let at = from + 1; at < source.length; at += 1) {
    const code = source.charCodeAt(at);
    if (code === TAG_END) return at + 1;
    if (code === TAG_BEGIN) return 0;
  }
  return 0;
}

function addUnit(unit: number, at: number): void {
  if (count === units.length) makeRoom(count * 2);
  units[count] = unit;
  starts[count] = at;
  count += 1;
}

function makeRoom(length: number): void {
  if (units.length >= length) return;
  const before = [units, starts] as const;
  units = new Uint16Array(length);
  starts = new Int32Array(length);
  units.set(before[0].subarray(0, count));
  starts.set(before[1].subarray(0, count));
}
