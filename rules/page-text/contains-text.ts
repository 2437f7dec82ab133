/** Characters that a reader does not see: soft hyphens, joiners, marks of direction, and the glyphs of icon fonts. */
const UNSEEN = /[\u00AD\u200B-\u200F\u2028-\u202E\u2060\uFEFF\uE000-\uF8FF]/g;

/** Of scripts that put spaces between words. */
const SPACED_LETTER =
  /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Hangul}]/u;
/** Of scripts that put none: what stands beside a word may be its negation. */
const RUNNING_LETTER =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
/** What leaves the meaning of a Japanese word as it is: a particle before it, a statement after it. */
const PARTICLE_BEFORE = /[はがをにもとへ]$/u;
const STATEMENT_AFTER = /^(?:です|でした|しました|されました)(?!か)/u;

/** The text as a person reads it: white space, the kind of quotes and hyphens and, unless it is asked for, case don't matter. */
export function readable(text: string, matchCase = false): string {
  const seen = text
    .normalize('NFKC')
    .replaceAll(UNSEEN, '')
    .replaceAll(/[“”„«»]/g, '"')
    .replaceAll(/[‘’]/g, "'")
    .replaceAll(/[‐‑]/g, '-')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return matchCase ? seen : seen.toLowerCase();
}

/**
 * Whether a reader of the text finds the wanted words in it: from the beginning of a word, so that "Inactive" does not
 * say "active"; in scripts without spaces as a whole; and numbers whole, with their sign and multiplier, so that neither
 * "1,042" nor "-42", "(42)" or "42k" say "42". A number is the same with and without separators of thousands.
 */
export function containsText(text: string, wanted: string, matchCase = false): boolean {
  const shown = withSigns(readable(text, matchCase));
  const sought = withSigns(readable(wanted, matchCase));
  if (sought === '') return true;
  if (isIn(shown, sought)) return true;
  return /^[-+]?\d{4,}(?:\.\d+)?$/.test(sought) && isIn(shown.replaceAll(THOUSANDS, ''), sought);
}

const THOUSANDS = /(?<=\d)[,' ](?=\d{3}(?!\d))/g;

/** Writes every negative number with a minus before it: (1,250) and 1,250- are so written by accountants. */
function withSigns(text: string): string {
  return text
    .replaceAll(/[−–﹣]/g, '-')
    .replace(/^\(((?:\p{Sc}|[a-z]{3})?\s?\d[\d.,' ]*\s?(?:\p{Sc}|%|[a-z]{3})?)\)$/iu, '-$1')
    .replaceAll(/(?<![\p{L}\p{N}.,-])((?:\p{Sc}\s?)?\d[\d.,']*)-(?![\p{L}\p{N}-])/gu, '-$1');
}

function isIn(shown: string, sought: string): boolean {
  for (let at = shown.indexOf(sought); at !== -1; at = shown.indexOf(sought, at + 1)) {
    const [before, after] = [shown.slice(0, at), shown.slice(at + sought.length)];
    if (beginsWhole(sought, before) && endsWhole(sought, after)) return true;
  }
  return false;
}

function beginsWhole(sought: string, before: string): boolean {
  const [first, previous] = [sought.at(0) ?? '', before.at(-1) ?? ''];
  if (SPACED_LETTER.test(first) && SPACED_LETTER.test(previous)) return false;
  if (RUNNING_LETTER.test(first) && RUNNING_LETTER.test(previous) && !PARTICLE_BEFORE.test(before)) return false;
  if (/^[-+]\p{Sc}?\s?\d/u.test(sought)) return !/[\p{L}\p{N}]/u.test(previous);
  if (!/^(?:\p{Sc}\s?)?\d/u.test(sought)) return true;
  if (/(?:^|[^\p{L}\p{N}])-(?:\p{Sc}\s?)?$/u.test(before)) return false;
  if (!/^\d/.test(sought)) return true;
  const isFraction = /(?:^|[^\p{L}])[.,]$/u.test(before) && !/[.,]{2}$/.test(before);
  const isLaterGroup = /\d[ ']$/.test(before) && /^\d{3}(?!\d)/.test(sought);
  return !(/\d$/.test(before) || isFraction || isLaterGroup);
}

/** “10k”, “2 million”, “5万”: the number that stands there is another one. A single letter may be part of a name: 12b. */
const MULTIPLIER =
  /^(?:\p{Script=Latin}(?!\p{L})|(?:bn|mio|mrd|tsd)(?!\p{L})| ?(?:thousand|million|billion|trillion|lakh|crore)s?(?!\p{L})|[百千万億兆亿])/iu;

function endsWhole(sought: string, after: string): boolean {
  const [last, next] = [sought.at(-1) ?? '', after.at(0) ?? ''];
  if (RUNNING_LETTER.test(last) && RUNNING_LETTER.test(next)) return STATEMENT_AFTER.test(after);
  if (!/\d/.test(last)) return true;
  if (/^\d/.test(after) || MULTIPLIER.test(after)) return false;
  // “42.00” is 42, “42.50” and “3.14.15” are neither 42 nor 3.14.
  const isDecimal = /\d[.,]\d+$/.test(sought);
  if (/^[.,]\d/.test(after) && (isDecimal || !/^[.,]0{1,2}(?![\d.,]*\d)/.test(after))) return false;
  return !(/^[-+\d.,' ]*$/.test(sought) && /^[ ']\d{3}(?!\d)/.test(after));
}
