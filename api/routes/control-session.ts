import { createRoute } from '@hono/zod-openapi';
import { z } from 'zod';
import { ResolveBudgetRequestSchema } from '../../contracts/models/budget';
import { CancelCallRequestSchema } from '../../contracts/tools/call-cancellation';
import { AddStepsRequestSchema } from '../../contracts/sessions/start-request';
import { ResolveUnknownRequestSchema } from '../../contracts/approvals/unknown-outcome';
import type { ApiApp, ApiParts } from '../context';
import { success } from '../envelope';
import { acceptedExample, CALL_ID, resolveBudgetExample, resolveUnknownExample } from '../openapi/examples';
import { limitBody, requireJson } from '../middleware/request-guards';
import { AcceptedSchema, dataOf, errorResponses, SessionParams } from '../openapi/schemas';

const ORDERS = {
  pause: {
    summary: 'Pause a session',
    description: 'The command under way is finished; no other one starts before the session is resumed.',
  },
  resume: { summary: 'Resume a paused session', description: 'Also after days, and after a restart of everything.' },
  close: {
    summary: 'Close a conversation',
    description: 'A session with `config.agent.stayOpen` ends once it has done what it was given.',
  },
  'cancel-turn': {
    summary: 'Cancel the response of a conversation',
    description: 'Model call, tools and questions under way are given up; the conversation stays open.',
  },
  cancel: { summary: 'Cancel a session', description: 'Its browser is closed and its log ends with WORKFLOW_FAILED.' },
} as const;

function orderRoute(order: keyof typeof ORDERS) {
  return createRoute({
    method: 'post',
    path: `/v1/sessions/{id}/${order}`,
    operationId: order === 'cancel-turn' ? 'cancelTurn' : `${order}Session`,
    tags: ['Control'],
    ...ORDERS[order],
    request: { params: SessionParams },
    responses: {
      202: dataOf(AcceptedSchema, 'Taken; the event log says when it is done', acceptedExample),
      ...errorResponses(404, 409, 503),
    },
  });
}

const addSteps = createRoute({
  method: 'post',
  path: '/v1/sessions/{id}/steps',
  operationId: 'addSteps',
  tags: ['Control'],
  summary: 'Add steps to a session that has not ended',
  description: 'They run after the steps it has; a session takes at most 100, a conversation as many at once.',
  middleware: [requireJson, limitBody] as const,
  request: {
    params: SessionParams,
    body: {
      required: true,
      content: { 'application/json': { schema: AddStepsRequestSchema, example: { steps: ['click "Log out"'] } } },
    },
  },
  responses: {
    202: dataOf(AcceptedSchema, 'They will be run', acceptedExample),
    ...errorResponses(400, 404, 409, 413, 415, 503),
  },
});

const cancelCall = createRoute({
  method: 'post',
  path: '/v1/sessions/{id}/calls/{callId}/cancel',
  operationId: 'cancelCall',
  tags: ['Control'],
  summary: 'Cancel one tool call of a task',
  description:
    'One that has not begun never begins; one that waits for an approval is asked about no more; one that runs is stopped, ' +
    'or its result counts where it was quicker. Its model is told, with the reason, and the other calls go on. 409 where it ' +
    'has ended.',
  middleware: [limitBody] as const,
  request: {
    params: SessionParams.extend({
      callId: z.string().meta({ description: 'Id of the call, as events and approvals have it', example: CALL_ID }),
    }),
    body: {
      content: {
        'application/json': {
          schema: CancelCallRequestSchema.omit({ callId: true }),
          example: { reason: 'it takes too long' },
        },
      },
    },
  },
  responses: {
    202: dataOf(AcceptedSchema, 'Taken; the event log says how the call ended', acceptedExample),
    ...errorResponses(400, 404, 409, 413, 503),
  },
});

const resolveUnknown = createRoute({
  method: 'post',
  path: '/v1/sessions/{id}/resolve-unknown',
  operationId: 'resolveUnknown',
  tags: ['Control'],
  summary: 'Say whether a command of unknown outcome happened',
  description:
    'For a session that waits because a click or key press was under way when its worker or browser died, and nothing ' +
    'tells whether it took effect (`waitingFor` of the session). Look for the effect first: with `true` the session goes ' +
    'on from the page as it is, with `false` the command is run again. The first answer counts.',
  middleware: [requireJson, limitBody] as const,
  request: {
    params: SessionParams,
    body: {
      required: true,
      content: { 'application/json': { schema: ResolveUnknownRequestSchema, example: resolveUnknownExample } },
    },
  },
  responses: {
    202: dataOf(AcceptedSchema, 'Taken; the event log says how it goes on', acceptedExample),
    ...errorResponses(400, 404, 409, 413, 415, 503),
  },
});

const resolveBudget = createRoute({
  method: 'post',
  path: '/v1/sessions/{id}/resolve-budget',
  operationId: 'resolveBudget',
  tags: ['Control'],
  summary: 'Decide how a session goes on whose budget is used up',
  description:
    'For a session that waits because it has used what `config.budget` allows (`waitingFor` of the session). `raise` names ' +
    'higher limits, with which it goes on; `end` ends it, with the results of the steps that are done. The first decision ' +
    'counts.',
  middleware: [requireJson, limitBody] as const,
  request: {
    params: SessionParams,
    body: {
      required: true,
      content: { 'application/json': { schema: ResolveBudgetRequestSchema, example: resolveBudgetExample } },
    },
  },
  responses: {
    202: dataOf(AcceptedSchema, 'Taken; the event log says how it goes on', acceptedExample),
    ...errorResponses(400, 404, 409, 413, 415, 503),
  },
});

export function addControlSession(app: ApiApp, { sessions }: ApiParts): void {
  for (const order of ['pause', 'resume', 'cancel', 'close', 'cancel-turn'] as const) {
    app.openapi(orderRoute(order), async (c) => {
      const accepted = await sessions[order === 'cancel-turn' ? 'cancelTurn' : order](c.req.valid('param').id);
      return c.json(success(c, accepted), 202);
    });
  }
  app.openapi(cancelCall, async (c) => {
    const { id, callId } = c.req.valid('param');
    const accepted = await sessions.cancelCall(id, { callId, ...c.req.valid('json') });
    return c.json(success(c, accepted), 202);
  });
  app.openapi(resolveUnknown, async (c) => {
    const accepted = await sessions.resolveUnknown(c.req.valid('param').id, c.req.valid('json'));
    return c.json(success(c, accepted), 202);
  });
  app.openapi(resolveBudget, async (c) => {
    const accepted = await sessions.resolveBudget(c.req.valid('param').id, c.req.valid('json'));
    return c.json(success(c, accepted), 202);
  });
  app.openapi(addSteps, async (c) => {
    const accepted = await sessions.addSteps(c.req.valid('param').id, c.req.valid('json').steps);
    return c.json(success(c, accepted), 202);
  });
}
