import type { MiddlewareHandler } from 'hono';
import { sessionIdOf } from '../../store/sessions/session-id';
import type { ApiEnv, ApiParts } from '../context';

const API_MODULE = 'frontend-api';

/** The last activity of the API's own module session: an order that was taken. Nobody waits for it, or fails with it. */
export function recordControlActivity({ coordinator }: ApiParts): MiddlewareHandler<ApiEnv> {
  return async (c, next) => {
    await next();
    const name = c.req.param('id');
    if (c.req.method !== 'POST' || c.res.status !== 202 || name === undefined) return;
    const manager = coordinator.getModuleSessionManager(API_MODULE);
    manager?.recordActivity(sessionIdOf(name)).catch(() => {});
  };
}
