import { z } from 'zod';
import { inputsInPath, isByApproval } from '../../contracts/messages/message-path';
import {
  CONTROL_MESSAGE_NAMES,
  type CONTROL_MESSAGES,
  messageDefinition,
  type ControlMessageName,
} from '../../contracts/messages/messages';
import type { Sessions } from '../../service/port/port';
import type { ApiParts } from '../http/context';
import { defineRoute } from '../http/define-route';
import { acceptedExample } from '../openapi/examples';
import { dataOf, errorResponses, jsonBody, optionalJsonBody } from '../openapi/responses';
import { IdempotencyHeaders, ReceiptSchema, SessionParams } from '../openapi/schemas';
import { answerReceipt, idempotencyKeyOf } from '../http/receipt';

/** A route for each control message: its path, parameters and body are those of the definition. */
export function controlMessageRoutes({ sessions }: ApiParts) {
  return CONTROL_MESSAGE_NAMES.map((name) => toRoute(name, sessions));
}

export type ControlOperationId = (typeof CONTROL_MESSAGES)[ControlMessageName]['operationId'];

function toRoute(name: ControlMessageName, sessions: Sessions) {
  const { path, operationId, summary, description } = messageDefinition(name);
  const body = bodyOf(name);
  return defineRoute(
    {
      method: 'post',
      path,
      operationId,
      tags: [isByApproval(name) ? 'Approvals' : 'Control'],
      summary,
      description,
      request: { headers: IdempotencyHeaders, params: parametersOf(name), ...(body === undefined ? {} : { body }) },
      responses: {
        202: dataOf(ReceiptSchema, 'Taken; the event log says how it goes on', acceptedExample),
        ...errorResponses(400, 404, 409, 422, 503),
        ...(body === undefined ? {} : errorResponses(413)),
        ...(body?.required === true ? errorResponses(415) : {}),
      },
    },
    async (c) => {
      const { id, ...inPath } = c.req.valid('param') as Record<string, string>;
      const inBody = body === undefined ? {} : (c.req.valid('json' as never) as object);
      return answerReceipt(c, await sessions.send(name, id, { ...inPath, ...inBody }, idempotencyKeyOf(c)));
    },
  );
}

function parametersOf(name: ControlMessageName): z.ZodObject {
  const { schema } = messageDefinition(name);
  const shape = Object.fromEntries(inputsInPath(name).map((member) => [member, schema!.shape[member] as z.ZodType]));
  return isByApproval(name) ? z.object(shape) : SessionParams.extend(shape);
}

/** The body may be left out where it has no member that must be there. */
function bodyOf(name: ControlMessageName) {
  const { schema, example } = messageDefinition(name);
  if (schema === undefined) return undefined;
  const inPath = inputsInPath(name);
  const inBody =
    inPath.length === 0
      ? schema
      : schema.omit(Object.fromEntries(inPath.map((member) => [member, true])) as Record<never, never>);
  return inBody.safeParse({}).success ? optionalJsonBody(inBody, example) : jsonBody(inBody, example);
}
