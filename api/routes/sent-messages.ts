import { z } from 'zod';
import { ControlMessageSchema } from '../../contracts/messages/control-message';
import type { ApiParts } from '../http/context';
import { defineRoute } from '../http/define-route';
import { respond } from '../http/envelope';
import { MESSAGE_ID, messageExample } from '../openapi/examples';
import { dataOf, errorResponses } from '../openapi/responses';
import { SessionParams } from '../openapi/schemas';

/** What became of the messages that a session was sent. */
export function sentMessageRoutes({ sessions }: ApiParts) {
  return [
    defineRoute(
      {
        method: 'get',
        path: '/v1/sessions/{id}/messages',
        operationId: 'listMessages',
        tags: ['Control'],
        summary: 'The messages that a session was sent, oldest first',
        request: { params: SessionParams },
        responses: {
          200: dataOf(z.array(ControlMessageSchema), 'Each with what became of it'),
          ...errorResponses(404, 503),
        },
      },
      async (c) => respond(c, await sessions.messages(c.req.valid('param').id), 200),
    ),
    defineRoute(
      {
        method: 'get',
        path: '/v1/sessions/{id}/messages/{messageId}',
        operationId: 'showMessage',
        tags: ['Control'],
        summary: 'What became of one message',
        description: '`pending` while no worker runs; `applied` has the answer of the session, `refused` its reason.',
        request: {
          params: SessionParams.extend({
            messageId: z.string().meta({ description: 'Id of the message', example: MESSAGE_ID }),
          }),
        },
        responses: { 200: dataOf(ControlMessageSchema, 'The message', messageExample), ...errorResponses(404, 503) },
      },
      async (c) => {
        const { id, messageId } = c.req.valid('param');
        return respond(c, await sessions.message(id, messageId), 200);
      },
    ),
  ] as const;
}
