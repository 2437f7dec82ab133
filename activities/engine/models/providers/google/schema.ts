import type { VendorSchema } from '../../../../../contracts/model-port/language-model';
import { toPortableSchema } from '../../portable-schema';

/**
 * Writes a schema in the subset of OpenAPI that Gemini takes: types in capitals, and an order of writing. Of an answer
 * choices are kept; of the arguments of a function they are merged.
 */
export function toGeminiSchema(schema: VendorSchema, choices: 'kept' | 'merged' = 'merged'): object {
  return convert(toPortableSchema(schema, choices));
}

function convert({ type = 'string', properties = {}, items, anyOf, ...rest }: VendorSchema): object {
  if (anyOf !== undefined) return { anyOf: anyOf.map(convert) };
  const members = Object.entries(properties).map(([name, member]) => [name, withoutFreeObjects(member)] as const);
  return {
    ...rest,
    type: type.toUpperCase(),
    ...(items === undefined ? {} : { items: convert(withoutFreeObjects(items)) }),
    ...(members.length === 0
      ? {}
      : {
          properties: Object.fromEntries(members.map(([name, member]) => [name, convert(member)])),
          // Without an order Gemini writes members alphabetically, so the reasoning would come last.
          ...(isAlphabetical(members) ? {} : { propertyOrdering: members.map(([name]) => name) }),
        }),
  };
}

/** Gemini refuses an object without known members: its JSON is asked for as text (planning/object-texts.ts reads it). */
function withoutFreeObjects(schema: VendorSchema): VendorSchema {
  if (schema.type !== 'object' || Object.keys(schema.properties ?? {}).length > 0) return schema;
  const words = schema.description === undefined ? '' : `${schema.description}; `;
  return { type: 'string', description: `${words}a JSON object as text` };
}

function isAlphabetical(members: readonly (readonly [string, unknown])[]): boolean {
  return members.every(([name], index) => index === 0 || members[index - 1]![0] <= name);
}
