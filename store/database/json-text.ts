/**
 * A value as JSON that PostgreSQL can keep. Pages show halves of characters (lone surrogates) and null characters, which
 * it refuses: the former become U+FFFD, the latter are left out.
 */
export function jsonText(value: unknown): string {
  // JSON.stringify escapes these alone. Each escape is read whole: what follows an escaped backslash is text.
  return (JSON.stringify(value) ?? 'null').replaceAll(/\\(?:u([\da-f]{4})|.)/gi, (escape, code?: string) => {
    if (code === undefined) return escape;
    return code === '0000' ? '' : /^d[89a-f]/i.test(code) ? '\ufffd' : escape;
  });
}
