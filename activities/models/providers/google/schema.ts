import type { JsonSchema } from '../../language-model';
import { toPortableSchema } from '../../portable-schema';

/** Writes a schema in the subset of OpenAPI that Gemini takes: types in capitals, and an order of writing. */
export function toGeminiSchema(schema: JsonSchema): object {
  return convert(toPortableSchema(schema));
}

function convert({ type = 'string', properties = {}, items, ...rest }: JsonSchema): object {
  const members = Object.entries(properties);
  return {
    ...rest,
    type: type.toUpperCase(),
    ...(items === undefined ? {} : { items: convert(items) }),
    ...(members.length === 0
      ? {}
      : {
          properties: Object.fromEntries(members.map(([name, member]) => [name, convert(member)])),
          // Without an order Gemini writes members alphabetically, so the reasoning would come last.
          propertyOrdering: members.map(([name]) => name),
        }),
  };
}
