import type { SchemaProblem } from './schema-problem';

const DEEPEST = 64;
/** A list of 2000 rows of a result has about ten values a row. */
const MOST_VALUES = 1_000_000;
const MOST_SCHEMA_VALUES = 10_000;
const LONGEST_NAME = 500;
/** Assigned to an object it is no member but the prototype, so that what is built from it would not be what was asked for. */
const PROTOTYPE = '__proto__';

/** The first thing that makes a schema unfit to be compiled or walked: too deep, too large, or with names that are none. */
export function schemaBounds(schema: unknown): SchemaProblem | undefined {
  return firstOver(schema, { most: MOST_SCHEMA_VALUES, what: 'a schema' });
}

/** The same for a value that is to be checked by a schema. */
export function valueBounds(value: unknown): SchemaProblem | undefined {
  return firstOver(value, { most: MOST_VALUES, what: 'a value' });
}

interface Place {
  value: unknown;
  depth: number;
  key: string | number;
  within: Place | undefined;
}

/** Walks without recursion, which a deep value would overflow. */
function firstOver(root: unknown, { most, what }: { most: number; what: string }): SchemaProblem | undefined {
  const waiting: Place[] = [{ value: root, depth: 0, key: '', within: undefined }];
  let seen = 0;
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    seen += 1;
    const message = problemAt(place, seen, most, what);
    if (message !== undefined) return { path: pathOf(place), message };
    if (typeof place.value !== 'object' || place.value === null) continue;
    for (const key of Object.keys(place.value)) {
      const at = Array.isArray(place.value) ? Number(key) : key;
      const value = (place.value as Record<string, unknown>)[key];
      waiting.push({ value, depth: place.depth + 1, key: at, within: place });
    }
  }
  return undefined;
}

function problemAt({ value, depth, key }: Place, seen: number, most: number, what: string): string | undefined {
  if (depth > DEEPEST) return `${what} may be ${DEEPEST} levels deep; write it flatter`;
  if (seen > most) return `${what} may have ${most} values; write a smaller one`;
  if (key === PROTOTYPE) return `${PROTOTYPE} can't be the name of a member; use another name`;
  if (typeof key === 'string' && key.length > LONGEST_NAME)
    return `the name of a member may have ${LONGEST_NAME} characters, got ${key.length}`;
  if (typeof value === 'number' && !Number.isFinite(value))
    return `expected a number that JSON can hold, got one that is larger than ${Number.MAX_VALUE}`;
  return undefined;
}

function pathOf(place: Place): (string | number)[] {
  const path: (string | number)[] = [];
  for (let at: Place | undefined = place; at?.within !== undefined; at = at.within) path.push(at.key);
  return path.toReversed().slice(0, 8);
}
