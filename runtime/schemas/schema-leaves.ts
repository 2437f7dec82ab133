import { isObject, ownMember } from '../../contracts/json';
import type { JsonSchema } from '../../contracts/results/result-request';

/** A value of a schema that is no object and no list: where it stands, and what is said of it. */
export interface Leaf {
  path: string[];
  member: JsonSchema;
  /** A page that lacks it has null for it. */
  isNullable: boolean;
}

/** A list of a schema: the root itself, or a member of an object. */
export interface ListMember {
  path: string[];
  items: JsonSchema;
}

/** How models name a value: `price`, `items.price`, `address.city`; `value` where the root is a list of plain values. */
export function memberName(...paths: readonly string[][]): string {
  return paths.flat().join('.') || 'value';
}

/** A schema has more values than this where its references unfold to ever more of them. */
const MOST_MEMBERS = 2000;

/** The schema unfolds to more values than can be read; the message says so. */
export class TooManyMembers extends Error {}

/**
 * The values and lists of an object schema; those of objects in it too. Of a schema that is one value: that, without a path.
 * Throws TooManyMembers.
 */
export function membersOf(schema: JsonSchema, root: JsonSchema = schema): { leaves: Leaf[]; lists: ListMember[] } {
  const leaves: Leaf[] = [];
  const lists: ListMember[] = [];
  const visit = (given: JsonSchema, path: string[]): void => {
    if (leaves.length + lists.length >= MOST_MEMBERS)
      throw new TooManyMembers(
        `the schema has more than ${MOST_MEMBERS} values with those that its references repeat; name fewer, or ask for them in several steps`,
      );
    const member = plainMember(given, root);
    if (member['type'] === 'array') {
      lists.push({ path, items: plainMember(isObject(member['items']) ? member['items'] : {}, root) });
      return;
    }
    const properties = isObject(member['properties']) ? member['properties'] : undefined;
    if (properties === undefined || path.length >= DEEPEST) {
      leaves.push({ path, member, isNullable: isNullable(given) });
      return;
    }
    for (const [name, each] of Object.entries(properties)) visit(isObject(each) ? each : {}, [...path, name]);
  };
  visit(schema, []);
  // An object without properties has no values of its own.
  return { leaves: leaves.filter(({ path, member }) => path.length > 0 || member['type'] !== 'object'), lists };
}

const DEEPEST = 5;

function isNullable({ type, anyOf, oneOf }: JsonSchema): boolean {
  const options = [anyOf, oneOf].find(Array.isArray) ?? [];
  return (
    type === 'null' ||
    (Array.isArray(type) && type.includes('null')) ||
    options.some((each) => isObject(each) && each['type'] === 'null')
  );
}

/** A member without references and without null: of alternatives the first that is more than null. */
function plainMember(member: JsonSchema, root: JsonSchema, depth = 0): JsonSchema {
  if (depth > 10) return member;
  const { $ref } = member;
  if (typeof $ref === 'string' && $ref.startsWith('#')) {
    const found = $ref
      .split('/')
      .slice(1)
      .reduce<unknown>((at, key) => (isObject(at) ? ownMember(at, key) : undefined), root);
    return isObject(found) ? plainMember(found, root, depth + 1) : member;
  }
  const options = [member['anyOf'], member['oneOf']].find(Array.isArray)?.filter(isObject) as JsonSchema[] | undefined;
  const option = options?.find(({ type }) => type !== 'null');
  if (option !== undefined)
    return plainMember({ ...member, anyOf: undefined, oneOf: undefined, ...option }, root, depth + 1);
  if (Array.isArray(member['type'])) return { ...member, type: member['type'].find((type) => type !== 'null') };
  return member;
}

/** A path as a JSON pointer (RFC 6901). */
export function pointer(path: readonly (string | number)[]): string {
  return path.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
