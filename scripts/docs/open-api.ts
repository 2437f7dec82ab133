import { OpenAPIHono } from '@hono/zod-openapi';
import type { ApiEnv, ApiParts } from '../../api/http/context';
import { toOpenApi } from '../../api/openapi/document';
import { addRoutes } from '../../api/routes';
import type { DocumentedSchema } from './members';

export interface Operation {
  operationId: string;
  tags: string[];
  summary: string;
  description?: string;
  /** Where a route declares its access; without it the token of the API. */
  security?: object[];
  parameters?: { name: string; in: string; schema: DocumentedSchema; description?: string }[];
  requestBody?: { content: Record<string, { schema: DocumentedSchema }> };
}

const app = new OpenAPIHono<ApiEnv>();
// A description calls no route, so the parts that routes use are not needed.
addRoutes(app, {} as ApiParts);

/** The OpenAPI document of the API. */
export const OPEN_API = toOpenApi(app);

const schemas = OPEN_API.components.schemas as Record<string, DocumentedSchema>;

/** Returns the schema that a reference names; another schema is returned as it is. */
export function resolved(schema: DocumentedSchema): DocumentedSchema {
  return schema.$ref === undefined ? schema : schemas[schema.$ref.split('/').at(-1)!]!;
}

export function namedSchema(name: string): DocumentedSchema {
  return schemas[name]!;
}
