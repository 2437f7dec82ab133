import { domainToASCII } from 'node:url';
import { readingsOf, type DecodedText } from './decoding';
import { BREAK, folded, foldText, type FoldedText } from './folding';

/** From where to where a secret stands in a text. */
export type Span = readonly [start: number, end: number];

/** What is searched for in a folded text. */
interface Needle {
  text: string;
  kind: 'digits' | 'letters' | 'mixed';
  /** It is a word in small letters: a sentence or a name may begin with the same word. */
  isWord: boolean;
}

/** A shorter one is found by chance: letters in words, digits in numbers, both in the names of things. */
const SHORTEST = { digits: 8, letters: 8, mixed: 6 } as const;
/** A shorter mixture is found only where no letter or digit is beside it. */
const SHORTEST_WITHIN = 8;
/** So many digits are not found by chance over the ends of lines, as those of a card. */
const CARD_DIGITS = 12;
/** So many bytes are not found by chance as hexadecimal digits. */
const SHORTEST_HEX_BYTES = 6;
/** At most so much stands between two characters of one secret, a tag for example. */
const LONGEST_GAP = 200;
/** How far before and after an escape the rest of a secret is searched for: by its length, within these limits. */
const REACH = { perCharacter: 64, least: 512, most: 8192 } as const;
/** The most that an unfinished escape has at the end of a piece of a text. */
const LONGEST_ESCAPE = 40;

/** What stands between groups of digits: at most four spaces, dashes, dots or invisible characters, or tags. */
const DIGIT_GAP = /^(?:[\s\p{Zs}\p{Pd}\p{Cf}\p{M}._·]|<[^<>]*>){0,4}$/u;
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;
const MARKS = /\p{M}+/uy;
const CAPITALIZED = /^\p{Lu}\p{Ll}+$/u;

/** Finds secrets in other clothes: case, groups, escapes, compatibility forms, tags within, host names, hexadecimal digits. */
export class DisguiseFinder {
  private readonly needles = new Map<string, Needle>();

  get isEmpty(): boolean {
    return this.needles.size === 0;
  }

  /** The folds that pages are searched for. */
  get folds(): string[] {
    return [...this.needles.keys()];
  }

  private get reach(): number {
    const longest = Math.max(...this.folds.map(({ length }) => length));
    return Math.min(REACH.most, Math.max(REACH.least, longest * REACH.perCharacter));
  }

  add(secret: string): void {
    const bytes = Buffer.from(secret);
    for (const text of [folded(secret), folded(hostNameOf(secret))]) {
      const kind = /^\p{N}+$/u.test(text) ? 'digits' : /^\p{L}+$/u.test(text) ? 'letters' : 'mixed';
      if (text.length >= SHORTEST[kind])
        this.needles.set(text, { text, kind, isWord: secret === text && kind === 'letters' });
    }
    const hex = bytes.toString('hex');
    if (bytes.length >= SHORTEST_HEX_BYTES) this.needles.set(hex, { text: hex, kind: 'mixed', isWord: false });
  }

  /** All places of a text, in no order; linear in its length. */
  spansIn(text: string): Span[] {
    if (this.isEmpty) return [];
    return readingsOf(text, this.reach).flatMap((reading) => this.spansOf(reading));
  }

  /** Where the last text begins that may become a secret when more of it comes; the length where none does. */
  unfinishedFrom(text: string): number {
    if (this.isEmpty) return text.length;
    const tag = text.lastIndexOf('<');
    const escape = text.slice(-LONGEST_ESCAPE).search(/[%&\\=][^%&\\=]*$/);
    const ends = [
      text.length,
      ...(tag === -1 || text.length - tag > LONGEST_GAP || text.includes('>', tag) ? [] : [tag]),
      ...(escape === -1 ? [] : [Math.max(0, text.length - LONGEST_ESCAPE) + escape]),
    ];
    return Math.min(
      text.length,
      ...ends.flatMap((end) => readingsOf(text.slice(0, end), Infinity).map((reading) => this.prefixAtEnd(reading))),
    );
  }

  private spansOf({ text, starts }: DecodedText): Span[] {
    const fold = foldText(text, true);
    const found: Span[] = [];
    for (const needle of this.needles.values()) {
      for (let at = fold.text.indexOf(needle.text); at !== -1; at = fold.text.indexOf(needle.text, at + 1)) {
        const start = fold.startOf(at);
        const end = endOf(text, fold.startOf(at + needle.text.length - 1));
        if (isOne(text, fold, at, end, needle)) found.push([starts?.[start] ?? start, starts?.[end] ?? end]);
      }
    }
    return found;
  }

  private prefixAtEnd({ text, starts }: DecodedText): number {
    const fold = foldText(text, true);
    const main = fold.text.split(BREAK, 1)[0]!;
    let first = text.length;
    for (const needle of this.needles.values()) {
      for (let length = Math.min(needle.text.length - 1, main.length); length > 0; length -= 1) {
        const at = main.length - length;
        if (!main.endsWith(needle.text.slice(0, length)) || !isTogether(fold, at, length, text.length)) continue;
        first = Math.min(first, fold.startOf(at));
        break;
      }
    }
    return starts?.[first] ?? first;
  }
}

function isOne(
  text: string,
  fold: FoldedText,
  at: number,
  end: number,
  { text: { length }, kind, isWord }: Needle,
): boolean {
  const start = fold.startOf(at);
  const isAlone = !isLetterOrDigit(text, start - 1) && !isLetterOrDigit(text, end);
  if (kind === 'digits') return isAlone && hasDigitGaps(text, fold, at, length);
  if (length < SHORTEST_WITHIN && !isAlone) return false;
  if (isWord && isAlone && CAPITALIZED.test(text.slice(start, end))) return false;
  return isTogether(fold, at, length, end);
}

function isTogether(fold: FoldedText, at: number, length: number, end: number): boolean {
  for (let unit = at + 1; unit < at + length; unit += 1)
    if (fold.startOf(unit) - fold.startOf(unit - 1) > LONGEST_GAP) return false;
  return end - fold.startOf(at + length - 1) <= LONGEST_GAP;
}

function hasDigitGaps(text: string, fold: FoldedText, at: number, length: number): boolean {
  for (let unit = at + 1; unit < at + length; unit += 1) {
    const gap = text.slice(endOfCharacter(text, fold.startOf(unit - 1)), fold.startOf(unit));
    if (gap === '') continue;
    if (gap.length > LONGEST_GAP || !DIGIT_GAP.test(gap)) return false;
    if (gap.includes('\n') && length < CARD_DIGITS) return false;
  }
  return true;
}

function isLetterOrDigit(text: string, at: number): boolean {
  return at >= 0 && at < text.length && LETTER_OR_DIGIT.test(text[at]!);
}

/** After the character and the marks upon it. */
function endOf(text: string, start: number): number {
  MARKS.lastIndex = endOfCharacter(text, start);
  return MARKS.test(text) ? MARKS.lastIndex : endOfCharacter(text, start);
}

function endOfCharacter(text: string, start: number): number {
  return start + (text.codePointAt(start)! > 0xffff ? 2 : 1);
}

/** As a label of a host name: in Punycode where it has letters beyond ASCII. */
function hostNameOf(secret: string): string {
  return domainToASCII(`${secret.replaceAll(/[^\p{L}\p{N}-]+/gu, '')}.example`).replace(/\.example$/, '');
}
