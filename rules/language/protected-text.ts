/**
 * Protects quoted text, `${name}` references and private-use characters from the rules: each becomes one private-use
 * character, so that no rule splits or changes its content.
 */
interface Span {
  raw: string;
  inner: string;
}
export type Spans = ReadonlyMap<string, Span>;
export interface ProtectedText {
  text: string;
  spans: Spans;
}

/** One piece of quoted text, as a regular expression source. */
export const QUOTE = '[\\uE000-\\uEFFF]';

const CLOSINGS: Record<string, string> = {
  '"': '"',
  '“': '”“"',
  '„': '“”"',
  '”': '”',
  '«': '»',
  '»': '«',
  '‹': '›',
  '‘': '’‘',
  '‚': '‘’',
  "'": "'",
  '`': '`',
};
/** Quotes that are apostrophes beside letters. */
const APOSTROPHES = "'‘’‚";
const LETTER = /[\p{L}\p{N}]/u;

export function protectQuotes(instruction: string): ProtectedText {
  const spans = new Map<string, Span>();
  let quotes = 0xe000;
  let others = 0xf000;
  let text = '';
  for (let at = 0; at < instruction.length;) {
    const quoted = quoteAt(instruction, at);
    const reference = quoted
      ? undefined
      : /^(?:\$\{[^{}]*\}|[\uE000-\uF8FF])/.exec(instruction.slice(at, at + 200))?.[0];
    const raw = quoted ?? reference;
    if (raw === undefined || quotes > 0xefff || others > 0xf8ff) {
      text += instruction[at];
      at += 1;
      continue;
    }
    const key = String.fromCharCode(quoted === undefined ? others++ : quotes++);
    spans.set(key, { raw, inner: quoted === undefined ? raw : raw.slice(1, -1) });
    text += key;
    at += raw.length;
  }
  return { text, spans };
}

function quoteAt(text: string, at: number): string | undefined {
  const opening = text[at] ?? '';
  const closings = CLOSINGS[opening];
  if (closings === undefined || LETTER.test(text[at - 1] ?? ' ')) return undefined;
  for (let end = at + 1; end < text.length; end += 1) {
    const closing = text[end] ?? '';
    if (!closings.includes(closing)) continue;
    if (APOSTROPHES.includes(closing) && LETTER.test(text[end + 1] ?? ' ')) continue;
    return text.slice(at, end + 1);
  }
  return undefined;
}

/** Restores the original words, including quotes. */
export function restore(part: string, spans: Spans): string {
  return part.replace(/[\uE000-\uF8FF]/g, (key) => spans.get(key)?.raw ?? key).trim();
}

/** Restores the original words, without quotes around the whole text. */
export function unquote(part: string, spans: Spans): string {
  const trimmed = part.trim();
  return isQuoted(trimmed) ? (spans.get(trimmed)?.inner ?? trimmed) : restore(trimmed, spans);
}

export function isQuoted(part: string): boolean {
  return /^[\uE000-\uEFFF]$/.test(part.trim());
}
