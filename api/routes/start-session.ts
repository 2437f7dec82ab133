import { z } from '@hono/zod-openapi';
import { StepChecksSchema } from '../../contracts/steps/step-check';
import { StartRequestSchema, planRequest } from '../../contracts/sessions/start-request';
import { ForkRequestSchema } from '../../contracts/sessions/fork-request';
import type { StartedSession } from '../../service/port/port';
import type { ApiContext, ApiParts } from '../http/context';
import { defineRoute } from '../http/define-route';
import { respond } from '../http/envelope';
import { createLinks } from '../http/links';
import { idempotencyKeyOf, markReplayed } from '../http/receipt';
import { startConversationExample, startedExample, startExample, startTaskExample } from '../openapi/examples';
import { dataOf, errorResponses, jsonBodyWithExamples } from '../openapi/responses';
import { IdempotencyHeaders, SessionParams, StartedSchema } from '../openapi/schemas';

export function startSessionRoutes(parts: ApiParts) {
  const linksOf = createLinks(parts);
  const answerStarted = (c: ApiContext, started: StartedSession) => {
    const { workflowId: _workflowId, ...data } = started;
    const links = linksOf(started);
    c.header('Location', links.self);
    if (!started.isNew) markReplayed(c);
    return respond(c, { ...data, links }, 202);
  };
  return [
    defineRoute(
      {
        method: 'post',
        path: '/v1/sessions',
        operationId: 'startSession',
        tags: ['Sessions'],
        summary: 'Start a session',
        description:
          'Answers as soon as the session exists. `secrets` are typed into fields of their origins alone. With ' +
          '`config.agent.executor: relay` the browser has to be paired (404; 409 where that was revoked or has ' +
          'expired); it is waited for until it connects.',
        request: {
          headers: IdempotencyHeaders,
          body: jsonBodyWithExamples(StartRequestSchema, {
            steps: { summary: 'Steps in plain English', value: startExample },
            task: { summary: 'A task in free text, for a language model', value: startTaskExample },
            conversation: {
              summary: 'A conversation that takes one task after the other',
              value: startConversationExample,
            },
          }),
        },
        responses: {
          202: dataOf(StartedSchema, 'The session exists', startedExample),
          ...errorResponses(400, 403, 404, 409, 413, 415, 422, 429, 503),
        },
      },
      async (c) => {
        const started = await parts.sessions.startParsed(planRequest(c.req.valid('json')), idempotencyKeyOf(c));
        return answerStarted(c, started);
      },
    ),
    defineRoute(
      {
        method: 'post',
        path: '/v1/steps/check',
        operationId: 'checkSteps',
        tags: ['Sessions'],
        summary: 'Read the steps of a request without starting it',
        description:
          'Says of each step how it is understood, and with `session` which commands would run first on the last ' +
          'page of that session.',
        request: {
          query: z.object({
            session: z.string().optional().meta({ description: 'Id of a session that shows the page' }),
          }),
          body: jsonBodyWithExamples(StartRequestSchema, {
            steps: { summary: 'Steps in plain English', value: startExample },
          }),
        },
        responses: {
          200: dataOf(StepChecksSchema, 'What is known of each step'),
          ...errorResponses(400, 404, 413, 415, 503),
        },
      },
      async (c) => {
        const { session: sessionId } = c.req.valid('query');
        return respond(c, await parts.sessions.check(planRequest(c.req.valid('json')), { sessionId }), 200);
      },
    ),
    defineRoute(
      {
        method: 'post',
        path: '/v1/sessions/{id}/fork',
        operationId: 'forkSession',
        tags: ['Sessions'],
        summary: 'Start a session that begins with a step of another one',
        description:
          'It begins with the state of the browser before that step, and the variables. 409 where no checkpoint of ' +
          'that step is kept.',
        request: {
          params: SessionParams,
          headers: IdempotencyHeaders,
          body: { required: true, content: { 'application/json': { schema: ForkRequestSchema } } },
        },
        responses: {
          202: dataOf(StartedSchema, 'The session exists', startedExample),
          ...errorResponses(400, 403, 404, 409, 413, 415, 422, 429, 503),
        },
      },
      async (c) =>
        answerStarted(c, await parts.sessions.fork(c.req.valid('param').id, c.req.valid('json'), idempotencyKeyOf(c))),
    ),
  ] as const;
}
