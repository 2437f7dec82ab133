import { createRoute } from '@hono/zod-openapi';
import { z } from 'zod';
import {
  BrowserSessionQuerySchema,
  BrowserSessionSchema,
  PairedSchema,
  PairRequestSchema,
  RegisteredBrowserSchema,
  RegisterRequestSchema,
} from '../../contracts/relay/browser-sessions';
import { bearerOf, unauthorised } from '../middleware/authentication';
import type { ApiApp, ApiParts } from '../context';
import { success } from '../envelope';
import { limitBody, requireJson } from '../middleware/request-guards';
import { dataOf, errorResponses } from '../openapi/schemas';

/** A browser has no token of this API: what it brings instead is checked by these routes. */
export const REGISTER_PATH = '/v1/browser-sessions/register';
export const ROTATE_PATH = '/v1/browser-sessions/rotate';

const TAGS = ['Browsers'];
const TOKENS_ONCE = dataOf(RegisteredBrowserSchema, 'Its id and its session token, which is not shown again');

const pair = createRoute({
  method: 'post',
  path: '/v1/browser-sessions/pair',
  operationId: 'pairBrowser',
  tags: TAGS,
  summary: 'A pairing token for a browser that is somebody else’s',
  description: 'Give it to the person whose browser it is. It works once, for five minutes; see docs/relay.md.',
  middleware: [requireJson, limitBody] as const,
  request: {
    body: {
      required: true,
      content: { 'application/json': { schema: PairRequestSchema, example: { label: 'my laptop' } } },
    },
  },
  responses: { 201: dataOf(PairedSchema, 'The token, shown this once'), ...errorResponses(400, 413, 415, 503) },
});

const register = createRoute({
  method: 'post',
  path: REGISTER_PATH,
  operationId: 'registerBrowser',
  tags: TAGS,
  summary: 'Spend a pairing token: the browser becomes a browser session',
  description: 'Needs no token of this API. Whose browser it is was settled when it was paired.',
  middleware: [requireJson, limitBody] as const,
  request: { body: { required: true, content: { 'application/json': { schema: RegisterRequestSchema } } } },
  responses: { 201: TOKENS_ONCE, ...errorResponses(400, 401, 413, 415, 503) },
});

const rotate = createRoute({
  method: 'post',
  path: ROTATE_PATH,
  operationId: 'rotateBrowserToken',
  tags: TAGS,
  summary: 'A new session token in place of the one in the Authorization header, which ends at once',
  responses: { 201: TOKENS_ONCE, ...errorResponses(401, 503) },
});

const list = createRoute({
  method: 'get',
  path: '/v1/browser-sessions',
  operationId: 'listBrowserSessions',
  tags: TAGS,
  summary: 'Browsers that were paired and not revoked, newest first',
  request: { query: BrowserSessionQuerySchema },
  responses: { 200: dataOf(z.array(BrowserSessionSchema), 'What is known of each'), ...errorResponses(400, 503) },
});

const revoke = createRoute({
  method: 'delete',
  path: '/v1/browser-sessions/{id}',
  operationId: 'revokeBrowserSession',
  tags: TAGS,
  summary: 'End a browser session: its token holds no longer, and its connection is closed',
  request: {
    params: z.object({ id: z.string().meta({ description: 'Id of the browser session' }) }),
    query: BrowserSessionQuerySchema,
  },
  responses: {
    200: dataOf(z.object({ revoked: z.literal(true) }), 'It is revoked'),
    ...errorResponses(400, 404, 503),
  },
});

export function addBrowserSessions(app: ApiApp, { browserSessions }: ApiParts): void {
  app.openapi(pair, async (c) => {
    c.header('Cache-Control', 'no-store');
    return c.json(success(c, await browserSessions.pair(c.req.valid('json'))), 201);
  });
  app.openapi(register, async (c) => {
    const registered = await browserSessions.register(c.req.valid('json').pairing_token);
    if (registered === null) throw unauthorised('a pairing token that was not used and is not older than five minutes');
    c.header('Cache-Control', 'no-store');
    return c.json(success(c, registered), 201);
  });
  app.openapi(rotate, async (c) => {
    const registered = await browserSessions.rotate(bearerOf(c) ?? '');
    if (registered === null) throw unauthorised('the header Authorization: Bearer with a session token that holds');
    c.header('Cache-Control', 'no-store');
    return c.json(success(c, registered), 201);
  });
  app.openapi(list, async (c) => {
    return c.json(success(c, await browserSessions.list(c.req.valid('query').tenant)), 200);
  });
  app.openapi(revoke, async (c) => {
    await browserSessions.revoke(c.req.valid('param').id, c.req.valid('query').tenant);
    return c.json(success(c, { revoked: true as const }), 200);
  });
}
