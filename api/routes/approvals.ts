import { z } from 'zod';
import { ApprovalFilterSchema, PendingQuestionSchema } from '../../contracts/approvals/approval';
import { ToolConfirmationOutcome } from '../../contracts/approvals/confirmation-outcome';
import type { ApiParts } from '../http/context';
import { defineRoute } from '../http/define-route';
import { respond } from '../http/envelope';
import { answerReceipt, idempotencyKeyOf } from '../http/receipt';
import { acceptedExample, APPROVAL_ID, approveSessionExample, rejectSessionExample } from '../openapi/examples';
import type { ApiTag } from '../http/tags';
import { dataOf, errorResponses, optionalJsonBody } from '../openapi/responses';
import { IdempotencyHeaders, ReceiptSchema, SessionParams } from '../openapi/schemas';

const TAGS: ApiTag[] = ['Approvals'];
const ACCEPTED = dataOf(ReceiptSchema, 'Taken; the event log says how it goes on', acceptedExample);
const OF_SESSION = {
  method: 'post' as const,
  tags: TAGS,
  description: '409 when it waits for none, or for several: answer each by its own id.',
  responses: { 202: ACCEPTED, ...errorResponses(400, 404, 409, 413, 422, 503) },
};

const ApprovalParams = z.object({
  approvalId: z.string().meta({ description: 'Id of the approval', example: APPROVAL_ID }),
});
const ReasonSchema = z.strictObject({ reason: z.string().max(1000).optional() });

export function approvalRoutes({ sessions }: ApiParts) {
  return [
    defineRoute(
      {
        method: 'get',
        path: '/v1/approvals',
        operationId: 'listApprovals',
        tags: TAGS,
        summary: 'What people are asked now, or were asked, oldest first',
        description:
          '`kind: approval` is a call of a tool, `kind: unknown-outcome` a command of which nobody knows whether it ' +
          'happened, `kind: secret` a code or link that a person has. With `status` those that ended in this way; ' +
          '`standing` hold for the rest of a session (`remembered` says for what).',
        request: {
          query: z.object({
            session: z.string().optional().meta({ description: 'Of this session alone' }),
            status: ApprovalFilterSchema.optional().meta({ description: 'pending, when it is left out' }),
          }),
        },
        responses: {
          200: dataOf(z.array(PendingQuestionSchema), 'All that is open, or of this status'),
          ...errorResponses(400, 404, 503),
        },
      },
      async (c) => {
        const { session, status } = c.req.valid('query');
        return respond(c, await sessions.approvals(session, status), 200);
      },
    ),
    defineRoute(
      {
        method: 'get',
        path: '/v1/approvals/{approvalId}',
        operationId: 'showApproval',
        tags: TAGS,
        summary: 'A question about a call, and how it was answered',
        request: { params: ApprovalParams },
        responses: { 200: dataOf(PendingQuestionSchema, 'The approval'), ...errorResponses(404, 503) },
      },
      async (c) => respond(c, await sessions.approval(c.req.valid('param').approvalId), 200),
    ),
    defineRoute(
      {
        ...OF_SESSION,
        path: '/v1/sessions/{id}/approve',
        operationId: 'approveSession',
        summary: 'Approve the only call that a session waits for, once',
        request: {
          headers: IdempotencyHeaders,
          params: SessionParams,
          body: optionalJsonBody(ReasonSchema, approveSessionExample),
        },
      },
      async (c) => {
        const { reason } = c.req.valid('json');
        const decision = { outcome: ToolConfirmationOutcome.ProceedOnce, ...(reason === undefined ? {} : { reason }) };
        return answerReceipt(
          c,
          await sessions.decideOnlyApproval(c.req.valid('param').id, decision, idempotencyKeyOf(c)),
        );
      },
    ),
    defineRoute(
      {
        ...OF_SESSION,
        path: '/v1/sessions/{id}/reject',
        operationId: 'rejectSession',
        summary: 'Reject the only call that a session waits for',
        request: {
          headers: IdempotencyHeaders,
          params: SessionParams,
          body: optionalJsonBody(ReasonSchema, rejectSessionExample),
        },
      },
      async (c) => {
        const { reason } = c.req.valid('json');
        const decision = { outcome: ToolConfirmationOutcome.Cancel, ...(reason === undefined ? {} : { reason }) };
        return answerReceipt(
          c,
          await sessions.decideOnlyApproval(c.req.valid('param').id, decision, idempotencyKeyOf(c)),
        );
      },
    ),
  ] as const;
}
