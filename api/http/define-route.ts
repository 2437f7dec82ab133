import { createRoute, type RouteConfig, type RouteHandler } from '@hono/zod-openapi';
import { declareAccess, type Access } from './access';
import type { ApiEnv } from './context';
import type { ApiTag } from './tags';
import { limitBody, limitDepth, limitFile, requireForm, requireJson, takeNoBody } from './request-guards';

/** The schemes of the OpenAPI document by which a route that declares its access is secured. */
const SECURITY: Partial<Record<Access, RouteConfig['security']>> = {
  open: [],
  'sign-in': [],
  'browser-token': [{ browserToken: [] }],
};

/**
 * Defines a REST route: what the OpenAPI document says of it, and its handler. It needs the token of the API and counts
 * against the rate limit, unless its `access` declares otherwise. A route with a body limits its size and depth, and
 * takes that kind of body only: JSON, or a form with a file. `operationId` names its method in the HTTP client (client/http/api-client.ts).
 */
export function defineRoute<
  P extends string,
  Id extends string,
  R extends Omit<RouteConfig, 'path' | 'operationId' | 'security' | 'middleware' | 'tags'> & {
    path: P;
    operationId: Id;
    tags: ApiTag[];
  },
>({ access, ...definition }: R & { access?: Access }, handler: RouteHandler<R, ApiEnv>) {
  const described = definition as unknown as R;
  const declared = access === undefined ? {} : { security: SECURITY[access] };
  const middleware = [...(access === undefined ? [] : [declareAccess[access]]), ...guardsOf(described)];
  return { route: createRoute<P, R>({ ...described, ...declared, middleware }), handler };
}

function guardsOf({ request }: Pick<RouteConfig, 'request'>) {
  if (request?.body === undefined) return [];
  if ('multipart/form-data' in request.body.content) return [requireForm, limitFile];
  return request.body.required === true ? [requireJson, limitBody, limitDepth] : [limitBody, limitDepth, takeNoBody];
}
