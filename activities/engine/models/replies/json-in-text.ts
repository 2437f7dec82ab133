/** A JSON object or list in a text, from its first character to behind its last. */
interface JsonInText {
  value: object;
  from: number;
  to: number;
}

/** More beginnings are not tried: a text with so many is no reply. */
const MOST_BEGINNINGS = 200;

/** Finds the JSON objects and lists in a text, outermost ones alone, whatever stands around them. */
export function jsonValuesIn(text: string): JsonInText[] {
  const found: JsonInText[] = [];
  let tries = 0;
  for (let from = beginning(text, 0); from !== -1 && tries < MOST_BEGINNINGS; tries += 1) {
    const to = endOf(text, from);
    const value = to === undefined ? undefined : parsed(text.slice(from, to));
    if (to !== undefined && value !== undefined) found.push({ value, from, to });
    from = beginning(text, value === undefined || to === undefined ? from + 1 : to);
  }
  return found;
}

function beginning(text: string, from: number): number {
  const at = text.slice(from).search(/[{[]/);
  return at === -1 ? -1 : from + at;
}

/** Where the brackets that open at `from` are all closed; undefined where they never are. */
function endOf(text: string, from: number): number | undefined {
  let depth = 0;
  let isInString = false;
  for (let at = from; at < text.length; at += 1) {
    const character = text[at];
    if (isInString) {
      if (character === '\\') at += 1;
      else if (character === '"') isInString = false;
    } else if (character === '"') isInString = true;
    else if (character === '{' || character === '[') depth += 1;
    else if ((character === '}' || character === ']') && (depth -= 1) === 0) return at + 1;
  }
  return undefined;
}

function parsed(text: string): object | undefined {
  // A comma before a closing bracket is what models write most often that is no JSON.
  for (const candidate of [text, text.replaceAll(/,(?=\s*[}\]])/g, '')]) {
    try {
      const value: unknown = JSON.parse(candidate);
      return typeof value === 'object' && value !== null ? value : undefined;
    } catch {
      // The other form is tried.
    }
  }
  return undefined;
}
