import { isObject } from '../../../../contracts/json';

/** Any JSON schema, as tools of users and MCP servers bring it. */
type AnySchema = Record<string, unknown>;

/** `$ref` may lead in circles; nobody calls a function with arguments this deep. */
const DEEPEST = 12;

/**
 * A schema in the subset of OpenAPI that Gemini takes: types in capitals, no further keywords, an order of writing. Of a
 * union the first that is not null counts; what can't be said is left out, and the tool checks it when it is called.
 */
export function toGeminiSchema(schema: object): object {
  const root = schema as AnySchema;
  return convert(root, root, 0);
}

function convert(given: AnySchema, root: AnySchema, depth: number): object {
  if (depth > DEEPEST) return { type: 'STRING' };
  const { schema, isNullable } = single(given, root);
  const { description, properties, required, items, minimum, maximum } = schema;
  const type = typeOf(schema);
  const values = enumOf(schema);
  const members = isObject(properties) ? Object.entries(properties) : [];
  return {
    ...(type === undefined ? {} : { type: type.toUpperCase() }),
    ...(isNullable ? { nullable: true } : {}),
    ...(typeof description === 'string' ? { description } : {}),
    ...(values === undefined ? {} : { enum: values }),
    ...(typeof minimum === 'number' ? { minimum } : {}),
    ...(typeof maximum === 'number' ? { maximum } : {}),
    // Gemini requires the type of a list's items.
    ...(type === 'array' ? { items: convert(isObject(items) ? items : { type: 'string' }, root, depth + 1) } : {}),
    ...(properties === undefined || members.length === 0
      ? {}
      : {
          properties: Object.fromEntries(
            members.map(([key, each]) => [key, convert(isObject(each) ? each : {}, root, depth + 1)]),
          ),
          // Without an order Gemini writes members alphabetically, so the reasoning would come last.
          propertyOrdering: members.map(([key]) => key),
        }),
    ...requiredOf(required, members),
  };
}

/** Of references and unions the one schema that counts. */
function single(given: AnySchema, root: AnySchema): { schema: AnySchema; isNullable: boolean } {
  let schema = given;
  let isNullable = false;
  for (let step = 0; step < DEEPEST; step += 1) {
    const { $ref, anyOf, oneOf, allOf, ...own } = schema;
    const options = [anyOf, oneOf, allOf].find((each) => Array.isArray(each) && each.length > 0);
    const target = typeof $ref === 'string' ? pointedAt($ref, root) : undefined;
    if (target !== undefined) schema = { ...target, ...own };
    else if (options !== undefined) {
      const schemas = (options as unknown[]).filter(isObject);
      isNullable ||= schemas.some(({ type }) => type === 'null');
      schema = { ...schemas.find(({ type }) => type !== 'null'), ...own };
    } else break;
  }
  if (Array.isArray(schema['type'])) isNullable ||= schema['type'].includes('null');
  return { schema, isNullable };
}

function pointedAt(ref: string, root: AnySchema): AnySchema | undefined {
  if (!ref.startsWith('#/')) return undefined;
  const found = ref
    .slice(2)
    .split('/')
    .reduce<unknown>(
      (at, key) => (isObject(at) ? at[key.replaceAll('~1', '/').replaceAll('~0', '~')] : undefined),
      root,
    );
  return isObject(found) ? found : undefined;
}

function typeOf({ type, properties, items, const: value, enum: values }: AnySchema): string | undefined {
  const named = Array.isArray(type) ? type.find((each) => each !== 'null') : type;
  if (typeof named === 'string') return named;
  if (properties !== undefined) return 'object';
  if (items !== undefined) return 'array';
  const example = value ?? (Array.isArray(values) ? values[0] : undefined);
  return example === undefined ? undefined : typeof example;
}

/** Gemini's are texts only. */
function enumOf({ enum: values, const: value }: AnySchema): string[] | undefined {
  const all = Array.isArray(values) ? values : value === undefined ? [] : [value];
  const texts = all.filter((each) => typeof each === 'string' && each !== '') as string[];
  return texts.length === 0 || texts.length < all.length ? undefined : texts;
}

function requiredOf(required: unknown, members: readonly [string, unknown][]): { required?: string[] } {
  if (!Array.isArray(required)) return {};
  const known = required.filter((name): name is string => members.some(([key]) => key === name));
  return known.length === 0 ? {} : { required: known };
}
