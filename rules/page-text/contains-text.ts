/** Characters that a reader does not see: soft hyphens, joiners, marks of direction, and the glyphs of icon fonts. */
const UNSEEN = /[\u00AD\u200B-\u200F\u2028-\u202E\u2060\uFEFF\uE000-\uF8FF]/g;

/** Of scripts that put spaces between words. */
const SPACED_LETTER = /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Arabic}\p{Script=Hebrew}]/u;
const DIGIT = /\d/;

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
 * say "active", and numbers whole, so that "1,042" does not say "42".
 */
export function containsText(text: string, wanted: string, matchCase = false): boolean {
  const shown = readable(text, matchCase);
  const sought = readable(wanted, matchCase);
  if (sought === '') return true;
  for (let at = shown.indexOf(sought); at !== -1; at = shown.indexOf(sought, at + 1)) {
    if (isWhole(sought, shown.slice(Math.max(0, at - 2), at), shown.slice(at + sought.length, at + sought.length + 4)))
      return true;
  }
  return false;
}

function isWhole(sought: string, before: string, after: string): boolean {
  const [first = '', last = ''] = [sought.at(0), sought.at(-1)];
  const previous = before.at(-1) ?? '';
  if (SPACED_LETTER.test(first) && SPACED_LETTER.test(previous)) return false;
  if (DIGIT.test(first) && (DIGIT.test(previous) || /\d[.,]$/.test(before))) return false;
  return !(DIGIT.test(last) && /^(?:\d|[.,]\d{3})/.test(after));
}
