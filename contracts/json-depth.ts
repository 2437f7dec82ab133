/** How deep arrays and objects of callers may be nested; what a request needs is a fifth of that. */
export const MAX_JSON_DEPTH = 100;

/**
 * Whether a JSON text is nested deeper than that. It is asked before the text is parsed: whatever walks the value then
 * (schemas, hashes of requests, redaction) calls itself for each level. A text that is no JSON gets any answer.
 */
export function isTooDeep(text: string): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '"') at = endOfString(text, at);
    else if (character === '[' || character === '{') depth += 1;
    else if (character === ']' || character === '}') depth -= 1;
    if (depth > MAX_JSON_DEPTH) return true;
  }
  return false;
}

/** The place of the quotation mark that ends the string which begins here. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at;
}

export const TOO_DEEP = `is nested more than ${MAX_JSON_DEPTH} levels deep`;
