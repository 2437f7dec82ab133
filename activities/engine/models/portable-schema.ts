import type { VendorSchema } from '../../../contracts/model-port/language-model';
import { isObject, ownMember } from '../../../contracts/json';

type Raw = Record<string, unknown>;
const DEEPEST = 12;
/** References that unfold to ever more references end here. */
const MOST_SCHEMAS = 5000;

/** What the conversion of one schema knows everywhere. */
interface Conversion {
  root: Raw;
  choices: Choices;
  /** Schemas that may still be written. */
  left: number;
}

/** What becomes of a choice between schemas: it stays, or it becomes one schema. */
type Choices = 'kept' | 'merged';

/**
 * Reduces a JSON schema to the keywords that all vendors take: references are inlined; of a choice between objects their
 * members are merged, of another one the first is taken. What comes back is checked by the whole schema.
 */
export function toPortableSchema(schema: unknown, choices: Choices = 'merged'): VendorSchema {
  const root = isObject(schema) ? schema : {};
  const plain = portable(root, { root, choices, left: MOST_SCHEMAS }, 0);
  return plain.type === 'object'
    ? { ...plain, properties: plain.properties ?? {} }
    : { type: 'object', properties: {} };
}

function portable(unresolved: Raw, conversion: Conversion, depth: number): VendorSchema {
  conversion.left -= 1;
  if (depth > DEEPEST || conversion.left < 0) return { type: 'object', properties: {} };
  const schema = resolved(unresolved, conversion.root);
  const choice = [schema['anyOf'], schema['oneOf'], schema['allOf']].find(Array.isArray) as unknown[] | undefined;
  const each = (choice ?? []).filter((one): one is Raw => isObject(one) && one['type'] !== 'null');
  if (each.length > 0 && schema['type'] === undefined) {
    const described = typeof schema['description'] === 'string' ? { description: schema['description'] } : {};
    const objects = each.map((one) => portable(one, conversion, depth + 1));
    const isOfObjects = each.length > 1 && objects.every(({ type }) => type === 'object');
    // Google takes no other keyword beside it.
    if (isOfObjects && conversion.choices === 'kept') return { anyOf: objects };
    return isOfObjects ? { ...merged(objects), ...described } : { ...objects[0]!, ...described };
  }
  const type = typeOf(schema);
  const plain: VendorSchema = { type };
  if (typeof schema['description'] === 'string') plain.description = schema['description'];
  const values = schema['const'] === undefined ? schema['enum'] : [schema['const']];
  if (type === 'string' && Array.isArray(values)) {
    const texts = values.filter((value) => typeof value === 'string');
    if (texts.length > 0) plain.enum = texts;
  }
  if (type === 'object') {
    const members = Object.entries(isObject(schema['properties']) ? schema['properties'] : {});
    plain.properties = Object.fromEntries(
      members.map(([name, member]) => [name, portable(isObject(member) ? member : {}, conversion, depth + 1)]),
    );
    const required = Array.isArray(schema['required']) ? schema['required'] : [];
    const known = required.filter((name): name is string => Object.hasOwn(plain.properties!, String(name)));
    if (known.length > 0) plain.required = known;
  }
  if (type === 'array')
    plain.items = portable(isObject(schema['items']) ? schema['items'] : { type: 'string' }, conversion, depth + 1);
  if (type === 'number' || type === 'integer') {
    for (const bound of ['minimum', 'maximum'] as const)
      if (typeof schema[bound] === 'number') plain[bound] = schema[bound];
  }
  return plain;
}

/** One object with the members of all; required is what all require. */
function merged(objects: readonly VendorSchema[]): VendorSchema {
  const members = new Map<string, VendorSchema>();
  for (const { properties = {} } of objects)
    for (const [name, member] of Object.entries(properties)) members.set(name, mergedMember(members.get(name), member));
  const required = (objects[0]?.required ?? []).filter((name) =>
    objects.every((each) => each.required?.includes(name)),
  );
  return { type: 'object', properties: Object.fromEntries(members), ...(required.length === 0 ? {} : { required }) };
}

function mergedMember(one: VendorSchema | undefined, other: VendorSchema): VendorSchema {
  if (one === undefined) return other;
  if (one.type === 'object' && other.type === 'object') return merged([one, other]);
  if (one.enum === undefined || other.enum === undefined) return one;
  return { ...one, enum: [...new Set([...one.enum, ...other.enum])] };
}

function typeOf(schema: Raw): string {
  const types = [schema['type']].flat().filter((type) => typeof type === 'string' && type !== 'null');
  if (types.length > 0) return types[0] as string;
  if (schema['properties'] !== undefined) return 'object';
  return schema['items'] === undefined ? 'string' : 'array';
}

/** Only references into the schema itself: nothing is fetched. */
function resolved(schema: Raw, root: Raw): Raw {
  const path = typeof schema['$ref'] === 'string' ? schema['$ref'] : undefined;
  if (path === undefined || !path.startsWith('#/')) return schema;
  const found = path
    .slice(2)
    .split('/')
    .reduce<unknown>(
      (at, part) => (isObject(at) ? ownMember(at, part.replaceAll('~1', '/').replaceAll('~0', '~')) : undefined),
      root,
    );
  return isObject(found) ? { ...found, $ref: undefined } : {};
}
