/** Returns the text of a submitted field; a missing field or a file counts as empty. */
export function formText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
