import type { ExtractedField } from '../../contracts/commands/definitions/reading';
import type { JsonSchema } from '../../contracts/results/result-request';

/** The schema of fields that a call names: an object of them, or a list of such objects. */
export function fieldsSchema(fields: readonly ExtractedField[], hasRows: boolean): JsonSchema {
  const properties = Object.fromEntries(
    fields.map(({ name, type = 'string', description }) => [name, { type, description }]),
  );
  const object = { type: 'object', properties };
  return hasRows ? { type: 'array', items: object } : object;
}
