import { createRoute } from '@hono/zod-openapi';
import { z } from 'zod';
import { StartRequestSchema } from '../../contracts/sessions/start-request';
import type { ApiApp, ApiParts } from '../context';
import { success } from '../envelope';
import { startedExample } from '../openapi/examples';
import { createLinks } from '../links';
import { limitBody, requireJson } from '../middleware/request-guards';
import { dataOf, errorResponses, StartedSchema } from '../openapi/schemas';

const example = {
  steps: ['open http://127.0.0.1:4000/', 'click "Sign in"', 'expect "Welcome"'],
  config: { maxIterations: 6, timeouts: { stepTimeoutMs: 120_000 } },
  variables: { password: { env: 'SHOP_PASSWORD' } },
};

const startSession = createRoute({
  method: 'post',
  path: '/v1/sessions',
  operationId: 'startSession',
  tags: ['Sessions'],
  summary: 'Start a session',
  description:
    'Answers as soon as the session exists; it runs in the background. With an Idempotency-Key the same request gives the ' +
    'same session, however often it is sent. A variable that names an environment variable of the workers (`env`) is read ' +
    'there and never logged. `secrets` are typed into fields of their origins alone; a value given here is sealed in ' +
    'the store and forgotten when the session ends. With `config.agent.executor: relay` its browser has to be paired (404, and ' +
    '409 where it was revoked or has expired); one that is not connected now is waited for.',
  middleware: [requireJson, limitBody] as const,
  request: {
    headers: z.object({ 'idempotency-key': z.string().optional() }),
    body: { required: true, content: { 'application/json': { schema: StartRequestSchema, example } } },
  },
  responses: {
    202: dataOf(StartedSchema, 'The session exists', startedExample),
    ...errorResponses(400, 404, 409, 413, 415, 429, 503),
  },
});

export function addStartSession(app: ApiApp, parts: ApiParts): void {
  const linksOf = createLinks(parts);
  app.openapi(startSession, async (c) => {
    const { 'idempotency-key': idempotencyKey } = c.req.valid('header');
    const started = await parts.sessions.start(c.req.valid('json'), { idempotencyKey });
    const { workflowId, ...data } = started;
    const links = linksOf(started.sessionId, workflowId);
    c.header('Location', links.self);
    return c.json(success(c, { ...data, links }), 202);
  });
}
