import { isObject, parseObject } from '../../../../contracts/json';
import type { VendorSchema } from '../../../../contracts/model-port/language-model';
import { toPortableSchema } from '../../models/portable-schema';

/**
 * Arguments with the objects that their schema wants where a model gave the JSON text of one: Gemini has no schema of an
 * object without known members, so such a member is declared to it as text (toGeminiSchema).
 */
export function withObjects(parameters: unknown, args: Record<string, unknown>): Record<string, unknown> {
  return revived(toPortableSchema(parameters), args) as Record<string, unknown>;
}

function revived({ type, properties = {}, items }: VendorSchema, value: unknown): unknown {
  if (type === 'array' && Array.isArray(value) && items !== undefined) return value.map((each) => revived(items, each));
  if (type !== 'object') return value;
  const object = typeof value === 'string' ? (parseObject(value) ?? value) : value;
  if (!isObject(object)) return object;
  return Object.fromEntries(
    Object.entries(object).map(([name, member]) => {
      const schema = Object.hasOwn(properties, name) ? properties[name] : undefined;
      return [name, schema === undefined ? member : revived(schema, member)];
    }),
  );
}
