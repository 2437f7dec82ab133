import { z } from 'zod';
import { bytesOf } from '../json';

export type JsonSchema = Record<string, unknown>;

/** It stands in requests to models, and in the session's row. */
const MAX_SCHEMA_BYTES = 16 * 1024;

/**
 * What a session, a task or an extract step is to return. `schema` is a JSON schema (draft 2020-12, or 7 where it says so)
 * whose root is an object or an array. `pages`: how many pages a list is read over; left out, all of them.
 */
export const ResultRequestSchema = z.strictObject({
  schema: z.record(z.string(), z.unknown()).superRefine((schema, context) => {
    const bytes = bytesOf(schema);
    const { type } = schema;
    if (bytes > MAX_SCHEMA_BYTES)
      context.addIssue({
        code: 'custom',
        message: `a schema may have at most ${MAX_SCHEMA_BYTES} bytes, got ${bytes}`,
      });
    else if (type !== 'object' && type !== 'array')
      context.addIssue({
        code: 'custom',
        path: ['type'],
        message: `a result is an object or an array: expected "object" or "array", got ${type === undefined ? 'no type' : JSON.stringify(type)}`,
      });
  }),
  pages: z.int().min(1).max(1000).optional(),
});
export type ResultRequest = z.infer<typeof ResultRequestSchema>;
