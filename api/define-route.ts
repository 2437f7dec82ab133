import { createRoute, type RouteConfig, type RouteHandler } from '@hono/zod-openapi';
import type { ApiEnv } from './context';
import { limitBody, limitFile, requireForm, requireJson } from './middleware/request-guards';

/**
 * Defines a REST route: what the OpenAPI document says of it, and its handler. A route with a body limits its size, and
 * takes that kind of body only: JSON, or a form with a file. `operationId` names its method in the HTTP client (client/http/api-client.ts).
 */
export function defineRoute<
  P extends string,
  Id extends string,
  R extends Omit<RouteConfig, 'path' | 'operationId'> & { path: P; operationId: Id },
>(definition: R, handler: RouteHandler<R, ApiEnv>) {
  return { route: createRoute<P, R>({ ...definition, middleware: guardsOf(definition) }), handler };
}

function guardsOf({ request }: Pick<RouteConfig, 'request'>) {
  if (request?.body === undefined) return [];
  if ('multipart/form-data' in request.body.content) return [requireForm, limitFile];
  return request.body.required === true ? [requireJson, limitBody] : [limitBody];
}
