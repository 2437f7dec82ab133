import { oneLine } from '../../contracts/text';

/** Returns the regular expression of a text that begins and ends with a slash. Throws where it is none. */
export function toPattern(expected: string): RegExp | undefined {
  const [, pattern, flags] = /^\/(.+)\/([a-z]*)$/s.exec(expected) ?? [];
  return pattern === undefined ? undefined : new RegExp(pattern, flags);
}

/** Compares with a regular expression; any other text is a part of it, whatever case and spaces. */
export function matches(actual: string, expected: string): boolean {
  const pattern = toPattern(expected);
  if (pattern !== undefined) return pattern.test(actual);
  return oneLine(actual).toLowerCase().includes(oneLine(expected).toLowerCase());
}
