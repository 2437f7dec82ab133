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

/** A pattern of addresses in which `:number`, `:id` and `#` stand for what differs between visits. */
export function addressPattern(text: string): string {
  return text
    .split('/')
    .map((part) => {
      if (part === ':number') return '\\d+';
      return part === ':id' ? '[^/]+' : part.split('#').map(escapedForPattern).join('\\d+');
    })
    .join('\\/');
}
