import { OpenAPIHono } from '@hono/zod-openapi';
import { except } from 'hono/combine';
import { requestId } from 'hono/request-id';
import { issuesOf } from '../contracts/sessions/start-request';
import type { ApiApp, ApiEnv, ApiParts } from './context';
import { requireToken } from './middleware/authentication';
import { failure } from './envelope';
import { limitRequests } from './middleware/rate-limit';
import { invalidRequest, HttpError, requestError, toErrorResponse, internalError } from './error-response';
import { recordControlActivity } from './middleware/record-activity';
import { checkOrigin } from './middleware/request-guards';
import { addApprovals } from './routes/approvals';
import { addBrowserSessions, REGISTER_PATH, ROTATE_PATH } from './routes/browser-sessions';
import { addControlSession } from './routes/control-session';
import { addDocs } from './routes/docs';
import { addHealth } from './routes/health';
import { addListSessions } from './routes/list-sessions';
import { addScreenshots } from './routes/screenshots';
import { addSessionEvents } from './routes/session-events';
import { addShowCommand } from './routes/show-command';
import { addSessionHealth } from './routes/session-health';
import { addShowSession } from './routes/show-session';
import { addStartSession } from './routes/start-session';
import { addModelCalls } from './routes/model-calls';
import { addVariables } from './routes/variables';
import { createMethodFinder } from './allowed-methods';

/** Called by browsers that are somebody else's, with tokens of their own. */
const byTheirOwnTokens = [REGISTER_PATH, ROTATE_PATH];

/** The HTTP API; it needs no socket: `app.request` answers as the server does. */
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
    await next();
    const ms = Math.round(performance.now() - c.var.startedAt);
    const { requestId: id } = c.var;
    logger.debug({ requestId: id, method: c.req.method, path: c.req.path, status: c.res.status, ms }, 'answered');
  });
  app.use(checkOrigin(parts.names, callers.token !== undefined, byTheirOwnTokens));
  app.use('/v1/sessions/:id/*', recordControlActivity(parts));

  // The limit first: whoever guesses at the token is slowed down by it.
  for (const paths of ['/v1/sessions/*', '/v1/approvals/*', '/v1/browser-sessions/*']) {
    if (callers.requestsPerMinute !== undefined) app.use(paths, limitRequests(callers.requestsPerMinute));
    if (callers.token !== undefined) app.use(paths, except(byTheirOwnTokens, requireToken(callers.token)));
  }
  addStartSession(app, parts);
  addListSessions(app, parts);
  addShowSession(app, parts);
  addControlSession(app, parts);
  addApprovals(app, parts);
  addSessionEvents(app, parts);
  addSessionHealth(app, parts);
  addShowCommand(app, parts);
  addScreenshots(app, parts);
  addVariables(app, parts);
  addBrowserSessions(app, parts);
  addModelCalls(app, parts);
  addHealth(app, parts);
  addDocs(app);

  const methodsOf = createMethodFinder(app);
  app.notFound((c) => {
    const { method, path } = c.req;
    const methods = methodsOf(path);
    if (methods.length === 0) {
      throw new HttpError(requestError(404, `There is nothing at ${path}. What there is stands at /docs.`));
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
