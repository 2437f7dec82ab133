import { StartRequestSchema, planRequest } from '../../contracts/sessions/start-request';
import type { ApiParts } from '../context';
import { defineRoute } from '../define-route';
import { answer } from '../envelope';
import { createLinks } from '../links';
import { keyOf, markReplayed } from '../receipt';
import { startedExample, startExample } from '../openapi/examples';
import { dataOf, errorResponses, jsonBody } from '../openapi/responses';
import { IdempotencyHeaders, StartedSchema } from '../openapi/schemas';

export function startSessionRoutes(parts: ApiParts) {
  const linksOf = createLinks(parts);
  return [
    defineRoute(
      {
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
        request: {
          headers: IdempotencyHeaders,
          body: jsonBody(StartRequestSchema, startExample),
        },
        responses: {
          202: dataOf(StartedSchema, 'The session exists', startedExample),
          ...errorResponses(400, 403, 404, 409, 413, 415, 422, 429, 503),
        },
      },
      async (c) => {
        const started = await parts.sessions.startParsed(planRequest(c.req.valid('json')), keyOf(c));
        const { workflowId: _workflowId, ...data } = started;
        const links = linksOf(started);
        c.header('Location', links.self);
        if (!started.isNew) markReplayed(c);
        return answer(c, { ...data, links }, 202);
      },
    ),
  ] as const;
}
