/** The first `limit` characters of a longer text, and an ellipsis. */
export function shortened(text: string, limit: number): string {
  return text.length > limit ? `${text.slice(0, limit)}…` : text;
}

/** The text with each run of whitespace as one space, shortened to the limit. */
export function oneLine(text: string, limit = Infinity): string {
  return shortened(text.replace(/\s+/g, ' ').trim(), limit);
}

/** A text for a place of this width, in which the ellipsis has room as well. */
export function fitted(text: string, width: number): string {
  return text.length <= width ? text : `${text.slice(0, Math.max(0, width - 1)).trimEnd()}…`;
}
