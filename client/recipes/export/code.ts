/** The names of variables in a text, as `${name}`. */
const NAME_IN_TEXT = /\$\{([a-zA-Z_]\w*)\}/;
/** Characters that stand for themselves nowhere in a regular expression. */
const SYNTAX = /[.*+?^${}()|[\]\\/]/g;
const QUOTES: readonly [RegExp, string][] = [
  [/["“”„«»]/g, '["“”„«»]'],
  [/['‘’]/g, "['‘’]"],
];

/** A text with variables in it: plain pieces, and names. */
export type Piece = { text: string } | { name: string };

export function piecesOf(text: string): Piece[] {
  return text
    .split(NAME_IN_TEXT)
    .map((piece, position): Piece => (position % 2 === 0 ? { text: piece } : { name: piece }))
    .filter((piece) => !('text' in piece) || piece.text !== '');
}

/** A text as TypeScript writes it, in single quotes. */
export function literal(text: string): string {
  const inner = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'");
  return `'${inner.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')}'`;
}

export function escapedForPattern(text: string): string {
  return text.replace(SYNTAX, '\\$&');
}

/** A pattern that any reader of a text would take it by: case, spaces and the kind of quotes don't matter. */
export function readablePattern(text: string): string {
  const words = text
    .split(/\s+/)
    .filter((word) => word !== '')
    .map(escapedForPattern)
    .join('\\s*');
  return QUOTES.reduce((pattern, [mark, marks]) => pattern.replaceAll(mark, marks), words);
}

/** Inside of backticks. */
export function inTemplate(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('`', '\\`').replaceAll('${', '\\${');
}
