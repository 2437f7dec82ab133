import { z } from 'zod';
import { APIErrorSchema, APIMetadataSchema, apiResponseSchema } from '../../contracts/api';
import { errorExamples } from './examples';

/** Describes a JSON answer whose `data` has the schema. */
export function dataOf<T extends z.ZodType>(schema: T, description: string, example?: object) {
  return jsonOf(apiResponseSchema(schema), description, example);
}

/** Describes a JSON answer that has the schema as a whole. */
export function jsonOf<T extends z.ZodType>(schema: T, description: string, example?: object) {
  return { description, content: jsonContent(schema, example) };
}

/** Describes a request body that must be there. */
export function jsonBody<T extends z.ZodType>(schema: T, example?: object) {
  return { required: true as const, content: jsonContent(schema, example) };
}

/** The same with several examples, each with what it shows. */
export function jsonBodyWithExamples<T extends z.ZodType>(
  schema: T,
  examples: Record<string, { summary: string; value: object }>,
) {
  return { required: true as const, content: { 'application/json': { schema, examples } } };
}

/** Describes a request body that may be left out. */
export function optionalJsonBody<T extends z.ZodType>(schema: T, example?: object) {
  // Said in so many words: a request without a body is refused otherwise.
  return { required: false, content: jsonContent(schema, example) };
}

function jsonContent<T extends z.ZodType>(schema: T, example: object | undefined) {
  return { 'application/json': { schema, ...(example === undefined ? {} : { example }) } };
}

const FailureSchema = z.object({ success: z.literal(false), error: APIErrorSchema, metadata: APIMetadataSchema });

const ERROR_DESCRIPTIONS = {
  400: 'A path of the request is not valid, or the request as a whole is not: `error.details.issues` names each path',
  401: 'The token that was brought does not hold (any more)',
  403: 'The request goes below a floor of the operator, or comes from a page: `error.details.issues` names each path',
  404: 'There is no such session, or no such part of it',
  409: 'Not possible in the state of the session, which `error.details.state` names',
  410: 'These events are kept no longer; `error.details.firstSeq` is the oldest that is',
  413: 'The body is larger than 1 MB (a file: 100 MB), or the session would be too large with it',
  415: 'The body is not said to be what the route takes',
  416: 'The file has none of the bytes that are asked for',
  422: 'The Idempotency-Key was sent before with another request',
  429: 'As many sessions are open as may be; nothing was started. Try again after `Retry-After` seconds',
  503: 'Temporal, its workers or the database do not answer; try again after `Retry-After` seconds',
} as const;

/** Describes the errors that a route answers with. */
export function errorResponses<S extends keyof typeof ERROR_DESCRIPTIONS>(...statuses: S[]) {
  const entries = statuses.map((status) => [
    status,
    jsonOf(FailureSchema, ERROR_DESCRIPTIONS[status], errorExamples[status]),
  ]);
  return Object.fromEntries(entries) as { [K in S]: ReturnType<typeof jsonOf<typeof FailureSchema>> };
}
