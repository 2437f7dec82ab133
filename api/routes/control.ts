import { z } from 'zod';
import { ResolveBudgetRequestSchema } from '../../contracts/models/budget';
import { CancelCallRequestSchema } from '../../contracts/tools/call-cancellation';
import { OrderSchema } from '../../contracts/sessions/order';
import { AddStepsRequestSchema } from '../../contracts/sessions/start-request';
import { ResolveUnknownRequestSchema } from '../../contracts/approvals/unknown-outcome';
import type { ApiParts } from '../context';
import { defineRoute } from '../define-route';
import { answer } from '../envelope';
import { answerReceipt, keyOf } from '../receipt';
import {
  acceptedExample,
  addStepsExample,
  CALL_ID,
  cancelCallExample,
  ORDER_ID,
  orderExample,
  resolveBudgetExample,
  resolveUnknownExample,
} from '../openapi/examples';
import { dataOf, errorResponses, jsonBody, optionalJsonBody } from '../openapi/responses';
import { IdempotencyHeaders, ReceiptSchema, SessionParams } from '../openapi/schemas';

const ACCEPTED = dataOf(ReceiptSchema, 'Taken; the event log says how it goes on', acceptedExample);
const WITH_BODY = { 202: ACCEPTED, ...errorResponses(400, 404, 409, 413, 415, 422, 503) };
const POST = { method: 'post', tags: ['Control'] as string[] } as const;
const WITHOUT_BODY = {
  ...POST,
  request: { headers: IdempotencyHeaders, params: SessionParams },
  responses: {
    202: dataOf(ReceiptSchema, 'Taken; the event log says when it is done', acceptedExample),
    ...errorResponses(400, 404, 409, 422, 503),
  },
};

export function controlRoutes({ sessions }: ApiParts) {
  return [
    defineRoute(
      {
        ...WITHOUT_BODY,
        path: '/v1/sessions/{id}/pause',
        operationId: 'pauseSession',
        summary: 'Pause a session',
        description: 'The command under way is finished; no other one starts before the session is resumed.',
      },
      async (c) => answerReceipt(c, await sessions.pause(c.req.valid('param').id, keyOf(c))),
    ),
    defineRoute(
      {
        ...WITHOUT_BODY,
        path: '/v1/sessions/{id}/resume',
        operationId: 'resumeSession',
        summary: 'Resume a paused session',
        description: 'Also after days, and after a restart of everything.',
      },
      async (c) => answerReceipt(c, await sessions.resume(c.req.valid('param').id, keyOf(c))),
    ),
    defineRoute(
      {
        ...WITHOUT_BODY,
        path: '/v1/sessions/{id}/cancel',
        operationId: 'cancelSession',
        summary: 'Cancel a session',
        description: 'Its browser is closed and its log ends with WORKFLOW_FAILED.',
      },
      async (c) => answerReceipt(c, await sessions.cancel(c.req.valid('param').id, keyOf(c))),
    ),
    defineRoute(
      {
        ...WITHOUT_BODY,
        path: '/v1/sessions/{id}/close',
        operationId: 'closeSession',
        summary: 'Close a conversation',
        description: 'A session with `config.agent.stayOpen` ends once it has done what it was given.',
      },
      async (c) => answerReceipt(c, await sessions.close(c.req.valid('param').id, keyOf(c))),
    ),
    defineRoute(
      {
        ...WITHOUT_BODY,
        path: '/v1/sessions/{id}/cancel-turn',
        operationId: 'cancelTurn',
        summary: 'Cancel the response of a conversation',
        description: 'Model call, tools and questions under way are given up; the conversation stays open.',
      },
      async (c) => answerReceipt(c, await sessions.cancelTurn(c.req.valid('param').id, undefined, keyOf(c))),
    ),
    defineRoute(
      {
        ...POST,
        path: '/v1/sessions/{id}/calls/{callId}/cancel',
        operationId: 'cancelCall',
        summary: 'Cancel one tool call of a task',
        description:
          'One that has not begun never begins; one that waits for an approval is asked about no more; one that runs is stopped, ' +
          'or its result counts where it was quicker. The model receives the cancellation with its reason, and the other calls ' +
          'go on. 409 where the call has ended.',
        request: {
          headers: IdempotencyHeaders,
          params: SessionParams.extend({
            callId: z
              .string()
              .meta({ description: 'Id of the call, as events and approvals have it', example: CALL_ID }),
          }),
          body: optionalJsonBody(CancelCallRequestSchema.omit({ callId: true }), cancelCallExample),
        },
        responses: {
          202: dataOf(ReceiptSchema, 'Taken; the event log says how the call ended', acceptedExample),
          ...errorResponses(400, 404, 409, 413, 422, 503),
        },
      },
      async (c) => {
        const { id, callId } = c.req.valid('param');
        return answerReceipt(c, await sessions.cancelCall(id, { callId, ...c.req.valid('json') }, keyOf(c)));
      },
    ),
    defineRoute(
      {
        ...POST,
        path: '/v1/sessions/{id}/resolve-unknown',
        operationId: 'resolveUnknown',
        summary: 'Say whether a command of unknown outcome happened',
        description:
          'For a session that waits because a click or key press was under way when its worker or browser died, and nothing ' +
          'shows whether it took effect (`waitingFor` of the session). Look for the effect first: with `true` the session goes ' +
          'on from the page as it is, with `false` the command is run again. The first answer counts.',
        request: {
          headers: IdempotencyHeaders,
          params: SessionParams,
          body: jsonBody(ResolveUnknownRequestSchema, resolveUnknownExample),
        },
        responses: WITH_BODY,
      },
      async (c) =>
        answerReceipt(c, await sessions.resolveUnknown(c.req.valid('param').id, c.req.valid('json'), keyOf(c))),
    ),
    defineRoute(
      {
        ...POST,
        path: '/v1/sessions/{id}/resolve-budget',
        operationId: 'resolveBudget',
        summary: 'Decide how a session goes on whose budget is used up',
        description:
          'For a session that waits because it has used what `config.budget` allows (`waitingFor` of the session). `raise` names ' +
          'higher limits, with which it goes on; `end` ends it, with the results of the steps that are done. The first decision ' +
          'counts.',
        request: {
          headers: IdempotencyHeaders,
          params: SessionParams,
          body: jsonBody(ResolveBudgetRequestSchema, resolveBudgetExample),
        },
        responses: WITH_BODY,
      },
      async (c) =>
        answerReceipt(c, await sessions.resolveBudget(c.req.valid('param').id, c.req.valid('json'), keyOf(c))),
    ),
    defineRoute(
      {
        ...POST,
        path: '/v1/sessions/{id}/steps',
        operationId: 'addSteps',
        summary: 'Add steps to a session that has not ended',
        description: 'They run after the steps it has; a session takes at most 100, a conversation as many at once.',
        request: {
          headers: IdempotencyHeaders,
          params: SessionParams,
          body: jsonBody(AddStepsRequestSchema, addStepsExample),
        },
        responses: { ...WITH_BODY, 202: dataOf(ReceiptSchema, 'They will be run', acceptedExample) },
      },
      async (c) =>
        answerReceipt(c, await sessions.addSteps(c.req.valid('param').id, c.req.valid('json').steps, keyOf(c))),
    ),
    defineRoute(
      {
        method: 'get',
        path: '/v1/sessions/{id}/orders',
        operationId: 'listOrders',
        tags: ['Control'],
        summary: 'The orders that a session was given, oldest first',
        request: { params: SessionParams },
        responses: { 200: dataOf(z.array(OrderSchema), 'Each with what became of it'), ...errorResponses(404, 503) },
      },
      async (c) => answer(c, await sessions.orders(c.req.valid('param').id), 200),
    ),
    defineRoute(
      {
        method: 'get',
        path: '/v1/sessions/{id}/orders/{orderId}',
        operationId: 'showOrder',
        tags: ['Control'],
        summary: 'What became of one order',
        description:
          'An order that was given while no worker ran is `pending`, and is carried out as soon as one runs. `applied` has the ' +
          'answer of the session, `refused` its reason.',
        request: {
          params: SessionParams.extend({
            orderId: z.string().meta({ description: 'Id of the order', example: ORDER_ID }),
          }),
        },
        responses: { 200: dataOf(OrderSchema, 'The order', orderExample), ...errorResponses(404, 503) },
      },
      async (c) => {
        const { id, orderId } = c.req.valid('param');
        return answer(c, await sessions.order(id, orderId), 200);
      },
    ),
  ] as const;
}
