import { OpenAPIHono } from '@hono/zod-openapi';
import { requestId } from 'hono/request-id';
import { requirementsOf } from './http/access';
import type { ApiApp, ApiEnv, ApiParts } from './http/context';
import { requireToken } from './middleware/authentication';
import { failure } from './http/envelope';
import { limitRequests } from './middleware/rate-limit';
import { invalidRequest, HttpError, requestError, toErrorResponse, internalError } from './http/error-response';
import { checkOrigin, requireOneHost } from './http/request-guards';
import { addPayloadCodec } from './payload-codec';
import { addRelay } from './relay/route';
import { addRoutes } from './routes';
import { addDocs } from './routes/docs';
import { addPage } from './routes/page';
import { addGuide } from './routes/guide';
import { asWork } from '../runtime/current-work';
import { sessionIdOf } from '../store/sessions/session-id';
import { issuesOf } from '../contracts/errors/issues';

/**
 * Creates the HTTP API. It needs no socket: `app.request` answers as the server does. Every request needs the token and
 * counts against the rate limit, also where there is no route, unless the route that answers it declares another access.
 */
export function createApi(parts: ApiParts): ApiApp {
  const app: ApiApp = new OpenAPIHono<ApiEnv>({
    defaultHook: (result, c) => {
      if (!result.success) return failure(c, invalidRequest(issuesOf(result.error)));
    },
  });
  const { logger, callers = {} } = parts;

  app.use(requestId());
  app.use(async (c, next) => {
    c.set('startedAt', performance.now());
    c.header('X-Content-Type-Options', 'nosniff');
    await asWork({ name: `${c.req.method} ${c.req.path}`, sessionId: sessionOf(c.req.path) }, next);
    const ms = Math.round(performance.now() - c.var.startedAt);
    const { requestId: id } = c.var;
    logger.debug({ requestId: id, method: c.req.method, path: c.req.path, status: c.res.status, ms }, 'answered');
  });
  app.use(requireOneHost);
  app.use(checkOrigin(parts.names, callers));
  // The rate limit comes first, so that it slows down guesses of the token.
  if (callers.requestsPerMinute !== undefined) {
    const limit = limitRequests(callers.requestsPerMinute);
    app.use((c, next) => (requirementsOf(c).isCounted ? limit(c, next) : next()));
  }
  if (callers.token !== undefined) {
    const check = requireToken(callers.token);
    app.use((c, next) => (requirementsOf(c).needsToken ? check(c, next) : next()));
  }
  addRoutes(app, parts);
  if (parts.payloadCodec !== undefined) addPayloadCodec(app, parts.payloadCodec);
  if (parts.relay !== undefined) addRelay(app, parts.relay);
  addPage(app, parts.pageFolder);
  addDocs(app, parts);
  if (parts.guideFolder !== undefined) addGuide(app, parts.guideFolder);

  const methodsOf = createMethodFinder(app);
  app.notFound((c) => {
    const { method, path } = c.req;
    const methods = methodsOf(path);
    if (methods.length === 0) {
      throw new HttpError(requestError(404, `There is nothing at ${path}. The routes are documented at /docs.`));
    }
    const allowed = methods.join(', ');
    const message = `${path} is not served with ${method}, only with ${allowed}.`;
    throw new HttpError(requestError(405, message, { headers: { Allow: allowed } }));
  });
  app.onError((error, c) => {
    const fault = toErrorResponse(error);
    if (fault !== undefined) return failure(c, fault);
    logger.error(
      { requestId: c.var.requestId, method: c.req.method, path: c.req.path, err: error },
      'unforeseen error',
    );
    return failure(c, internalError(c.var.requestId));
  });
  return app;
}

/** Returns the methods of a path; empty for an unknown path. HEAD is served with GET. */
function createMethodFinder(app: ApiApp): (path: string) => string[] {
  const routes = app.routes
    .filter(({ method }) => method !== 'ALL')
    .map(({ method, path }) => ({ method, pattern: new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}$`) }));
  return (path) => {
    const methods = new Set(routes.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method));
    if (methods.has('GET')) methods.add('HEAD');
    return [...methods].sort();
  };
}

/** The session that a request is about, for the watchdog. */
function sessionOf(path: string): string | undefined {
  const name = /^\/v1\/sessions\/([^/]+)/.exec(path)?.[1];
  return name === undefined ? undefined : sessionIdOf(name);
}
