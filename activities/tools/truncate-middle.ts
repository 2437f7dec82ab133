/**
 * A text as a person who decides on it is shown it: of one that is too long its beginning and its end, with what is
 * missing told, so that nobody takes it for the whole.
 */
export function truncateMiddle(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const [head, tail] = [Math.ceil(limit * 0.75), Math.floor(limit * 0.25)];
  const left = text.length - head - tail;
  return `${text.slice(0, head)}… (${left} of ${text.length} characters are not shown) …${text.slice(-tail)}`;
}
