import type { JsonSchema } from './language-model';
import { isObject } from '../../contracts/json';

type Raw = Record<string, unknown>;
const DEEPEST = 12;

/**
 * Reduces a JSON schema to the keywords that all vendors take: the first of several types, references inlined. The tool
 * checks the arguments by its whole schema when a call comes.
 */
export function toPortableSchema(schema: unknown): JsonSchema {
  const root = isObject(schema) ? schema : {};
  const plain = portable(root, root, 0);
  return plain.type === 'object'
    ? { ...plain, properties: plain.properties ?? {} }
    : { type: 'object', properties: {} };
}

function portable(unresolved: Raw, root: Raw, depth: number): JsonSchema {
  const schema = resolved(unresolved, root);
  if (depth > DEEPEST) return { type: 'object', properties: {} };
  const choice = [schema['anyOf'], schema['oneOf'], schema['allOf']].find(Array.isArray) as unknown[] | undefined;
  const first = choice?.find((each) => isObject(each) && each['type'] !== 'null');
  if (isObject(first) && schema['type'] === undefined) {
    const described = schema['description'] === undefined ? {} : { description: schema['description'] };
    return portable({ ...first, ...described }, root, depth + 1);
  }
  const type = typeOf(schema);
  const plain: JsonSchema = { type };
  if (typeof schema['description'] === 'string') plain.description = schema['description'];
  const values = schema['const'] === undefined ? schema['enum'] : [schema['const']];
  if (type === 'string' && Array.isArray(values)) {
    const texts = values.filter((value) => typeof value === 'string');
    if (texts.length > 0) plain.enum = texts;
  }
  if (type === 'object') {
    const members = Object.entries(isObject(schema['properties']) ? schema['properties'] : {});
    plain.properties = Object.fromEntries(
      members.map(([name, member]) => [name, portable(isObject(member) ? member : {}, root, depth + 1)]),
    );
    const required = Array.isArray(schema['required']) ? schema['required'] : [];
    const known = required.filter((name): name is string => Object.hasOwn(plain.properties!, String(name)));
    if (known.length > 0) plain.required = known;
  }
  if (type === 'array')
    plain.items = portable(isObject(schema['items']) ? schema['items'] : { type: 'string' }, root, depth + 1);
  if (type === 'number' || type === 'integer') {
    for (const bound of ['minimum', 'maximum'] as const)
      if (typeof schema[bound] === 'number') plain[bound] = schema[bound];
  }
  return plain;
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
      (at, part) => (isObject(at) ? at[part.replaceAll('~1', '/').replaceAll('~0', '~')] : undefined),
      root,
    );
  return isObject(found) ? { ...found, $ref: undefined } : {};
}
