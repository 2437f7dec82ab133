import type { z } from 'zod';

/** A value is not corrected more often: what is wrong within a corrected member shows only then. */
const MOST_ROUNDS = 4;

/**
 * Checks a value that a model wrote, and forgives what can mean one thing only: numbers and booleans as text, a single member
 * in place of a list, JSON as text, a word in another case. The result is that of the schema.
 */
export function forgivingParse<T>(schema: z.ZodType<T>, given: unknown): z.ZodSafeParseResult<T> {
  const first = schema.safeParse(given);
  let result = first;
  const root = { value: structuredClone(given) };
  for (let round = 0; !result.success && round < MOST_ROUNDS; round += 1) {
    const corrected = result.error.issues.map((issue) => correct(root, issue));
    if (!corrected.includes(true)) return first;
    result = schema.safeParse(root.value);
  }
  return result.success ? result : first;
}

type Holder = Record<PropertyKey, unknown>;

/** Replaces the member that an issue is about; false where it may mean several things. */
function correct(root: { value: unknown }, issue: z.core.$ZodIssue): boolean {
  const path = ['value', ...issue.path];
  const holder = path.slice(0, -1).reduce<unknown>((at, key) => (at as Holder | undefined)?.[key], root);
  const key = path.at(-1)!;
  if (typeof holder !== 'object' || holder === null || !Object.hasOwn(holder, key)) return false;
  const meant = meantBy((holder as Holder)[key], issue);
  if (meant === undefined) return false;
  (holder as Holder)[key] = meant;
  return true;
}

/** What a value means where another type or word was expected. */
function meantBy(value: unknown, issue: z.core.$ZodIssue): unknown {
  if (issue.code === 'invalid_value') return typeof value === 'string' ? wordOf(value, issue.values) : undefined;
  if (issue.code !== 'invalid_type' || value === null || value === undefined) return undefined;
  const text = typeof value === 'string' ? value.trim() : undefined;
  switch (issue.expected) {
    case 'number':
    case 'int':
      return text !== undefined && /^[-+]?\d+(?:\.\d+)?$/.test(text) ? Number(text) : undefined;
    case 'boolean':
      return text !== undefined && /^(?:true|false)$/i.test(text) ? text.toLowerCase() === 'true' : undefined;
    case 'string':
      return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
    case 'array': {
      const read = text?.startsWith('[') === true ? jsonOf(text) : undefined;
      return Array.isArray(read) ? read : [value];
    }
    case 'object':
    case 'record':
      return text?.startsWith('{') === true ? jsonOf(text) : undefined;
    default:
      return undefined;
  }
}

function wordOf(written: string, words: readonly unknown[]): unknown {
  const plain = (word: unknown): string =>
    String(word)
      .trim()
      .toLowerCase()
      .replaceAll(/[\s-]+/g, '_');
  return words.find((word) => plain(word) === plain(written));
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
