/**
 * What a terminal, a log viewer or a dialog obeys instead of showing it, and what hides or reorders what is read: C0 and C1
 * controls but tab and line feed, line and paragraph separators, bidirectional embeddings, overrides and isolates,
 * invisible format characters, tags, and halves of surrogate pairs. Joiners and marks that scripts and emoji need stay.
 */
const UNPRINTABLE =
  /(?![\t\n])\p{Cc}|[\u200b\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]|\p{Cs}/gu;

/** Stands before the further lines of a text that was to be one line: no line of ours begins so. */
const CONTINUATION = '\n  │ ';

/**
 * Shows unprintable characters as JSON escapes, as in `\u001b`. So what a page hides is seen, and JSON still parses to the
 * same value.
 */
export function printable(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(UNPRINTABLE, escaped);
}

/** A text as one line of an output: its further lines stand behind a bar, so that none looks like a line of the output. */
export function printableLine(text: string): string {
  return printable(text).replaceAll('\n', CONTINUATION);
}

/** Lines that may hold texts of strangers, joined. */
export function printableLines(lines: readonly string[]): string {
  return lines.map(printableLine).join('\n');
}

function escaped(characters: string): string {
  return Array.from({ length: characters.length }, (_, at) => {
    return `\\u${characters.charCodeAt(at).toString(16).padStart(4, '0')}`;
  }).join('');
}
