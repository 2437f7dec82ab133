/** The text of a submitted field: a missing one, or a file where text belongs, is as good as empty. */
export function formText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
