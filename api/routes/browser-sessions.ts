import { z } from 'zod';
import {
  BrowserSessionQuerySchema,
  BrowserSessionSchema,
  PairedSchema,
  PairRequestSchema,
  RegisteredBrowserSchema,
  RegisterRequestSchema,
} from '../../contracts/relay/browser-sessions';
import type { Issued } from '../../service/browser-sessions';
import type { ApiContext, ApiParts } from '../http/context';
import { defineRoute } from '../http/define-route';
import { respond } from '../http/envelope';
import { bearerOf, unauthorised } from '../middleware/authentication';
import { pairBrowserExample } from '../openapi/examples';
import type { ApiTag } from '../http/tags';
import { dataOf, errorResponses, jsonBody } from '../openapi/responses';
import { IdempotencyHeaders } from '../openapi/schemas';
import { idempotencyKeyOf, markReplayed } from '../http/receipt';

const TAGS: ApiTag[] = ['Browsers'];
const REGISTERED = dataOf(RegisteredBrowserSchema, 'Its id and its session token, which is not shown again');

export function browserSessionRoutes({ browserSessions }: ApiParts) {
  return [
    defineRoute(
      {
        method: 'post',
        path: '/v1/browser-sessions/pair',
        operationId: 'pairBrowser',
        tags: TAGS,
        summary: 'A pairing token for a browser that is somebody else’s',
        description: 'It works once, for five minutes; see docs/relay.md.',
        request: { headers: IdempotencyHeaders, body: jsonBody(PairRequestSchema, pairBrowserExample) },
        responses: {
          201: dataOf(PairedSchema, 'The token, shown this once'),
          ...errorResponses(400, 413, 415, 422, 503),
        },
      },
      async (c) => {
        return answerToken(c, await browserSessions.pair(c.req.valid('json'), idempotencyKeyOf(c)));
      },
    ),
    defineRoute(
      {
        method: 'post',
        path: '/v1/browser-sessions/register',
        access: 'browser-token',
        operationId: 'registerBrowser',
        tags: TAGS,
        summary: 'Spend a pairing token: the browser becomes a browser session',
        request: { headers: IdempotencyHeaders, body: jsonBody(RegisterRequestSchema) },
        responses: { 201: REGISTERED, ...errorResponses(400, 401, 413, 415, 422, 503) },
      },
      async (c) => {
        const registered = await browserSessions.register(c.req.valid('json').pairing_token, idempotencyKeyOf(c));
        if (registered === null)
          throw unauthorised('a pairing token that was not used and is not older than five minutes');
        return answerToken(c, registered);
      },
    ),
    defineRoute(
      {
        method: 'post',
        path: '/v1/browser-sessions/rotate',
        access: 'browser-token',
        operationId: 'rotateBrowserToken',
        tags: TAGS,
        summary: 'A new session token in place of the one in the Authorization header, which ends at once',
        request: { headers: IdempotencyHeaders },
        responses: { 201: REGISTERED, ...errorResponses(400, 401, 503) },
      },
      async (c) => {
        const registered = await browserSessions.rotate(bearerOf(c) ?? '', idempotencyKeyOf(c));
        if (registered === null) throw unauthorised('the header Authorization: Bearer with a session token that holds');
        return answerToken(c, registered);
      },
    ),
    defineRoute(
      {
        method: 'get',
        path: '/v1/browser-sessions',
        operationId: 'listBrowserSessions',
        tags: TAGS,
        summary: 'Browsers that were paired and not revoked, newest first',
        request: { query: BrowserSessionQuerySchema },
        responses: {
          200: dataOf(z.array(BrowserSessionSchema), 'What is known of each'),
          ...errorResponses(400, 503),
        },
      },
      async (c) => respond(c, await browserSessions.list(c.req.valid('query').tenant), 200),
    ),
    defineRoute(
      {
        method: 'delete',
        path: '/v1/browser-sessions/{id}',
        operationId: 'revokeBrowserSession',
        tags: TAGS,
        summary: 'End a browser session and its connection',
        request: {
          params: z.object({ id: z.string().meta({ description: 'Id of the browser session' }) }),
          query: BrowserSessionQuerySchema,
        },
        responses: {
          200: dataOf(z.object({ revoked: z.literal(true) }), 'It is revoked'),
          ...errorResponses(400, 404, 503),
        },
      },
      async (c) => {
        await browserSessions.revoke(c.req.valid('param').id, c.req.valid('query').tenant);
        return respond(c, { revoked: true as const }, 200);
      },
    ),
  ] as const;
}

/** A token is shown to its caller alone. */
function answerToken<T extends object>(c: ApiContext, { issued, isReplayed }: Issued<T>) {
  c.header('Cache-Control', 'no-store');
  if (isReplayed) markReplayed(c);
  return respond(c, issued, 201);
}
