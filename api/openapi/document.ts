import { SYSTEM_VERSION_TEXT } from '../../contracts/modules/version';
import type { ApiApp } from '../http/context';
import { describeNamedSchemas } from './named-schemas';
import { API_TAGS } from '../http/tags';

const DESCRIPTION = `Natural-language browser sessions as durable workflows.

Start one with \`POST /v1/sessions\`, watch it at \`/v1/sessions/{id}/events\`, look at it at \`/v1/sessions/{id}\`.
Every JSON answer has the same envelope: \`success\`, \`data\` or \`error\`, and \`metadata\` with the request id, which is
taken from the header \`X-Request-Id\` or made up. Every POST takes an
\`Idempotency-Key\`: the same request under the same key is carried out once, and its answer is marked
(\`Idempotency-Replayed: true\`). Dates are ISO-8601 in UTC, durations are milliseconds.`;

const NAMED_SCHEMAS = describeNamedSchemas();

export function toOpenApi(app: ApiApp) {
  const document = app.getOpenAPI31Document({
    openapi: '3.1.0',
    info: { title: 'Surefoot', version: SYSTEM_VERSION_TEXT, description: DESCRIPTION, license: { name: 'MIT' } },
    security: [{}, { token: [] }],
    tags: Object.entries(API_TAGS).map(([name, description]) => ({ name, description })),
  });
  const components = {
    ...document.components,
    schemas: { ...document.components?.schemas, ...NAMED_SCHEMAS },
    securitySchemes: {
      token: { type: 'http', scheme: 'bearer', description: 'SUREFOOT_API_TOKEN, where one is set' },
      browserToken: { type: 'http', scheme: 'bearer', description: 'The token of a browser: pairing or session token' },
    },
  };
  return normalize({ ...document, components });
}

/** Corrects the generated document: a coerced date is a string on the wire, and a reference has no other members. */
function normalize<T>(document: T): T {
  return JSON.parse(JSON.stringify(document), (_key, value: unknown) => {
    if (typeof value !== 'object' || value === null) return value;
    if ('format' in value && value.format === 'date-time') return { ...value, type: 'string' };
    return '$ref' in value ? { $ref: value.$ref } : value;
  }) as T;
}
