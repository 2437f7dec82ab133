/** Keeps the beginning and the end of a text that a person decides on, and states how much is missing between them. */
export function truncateMiddle(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const [head, tail] = [Math.ceil(limit * 0.75), Math.floor(limit * 0.25)];
  const left = text.length - head - tail;
  return `${text.slice(0, head)}… (${left} of ${text.length} characters are not shown) …${text.slice(-tail)}`;
}
