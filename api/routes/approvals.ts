import { createRoute } from '@hono/zod-openapi';
import { z } from 'zod';
import { DecideApprovalRequestSchema, PendingQuestionSchema } from '../../contracts/approvals/approval';
import { ToolConfirmationOutcome } from '../../contracts/tools/tool';
import type { ApiApp, ApiParts } from '../context';
import { success } from '../envelope';
import { acceptedExample, APPROVAL_ID } from '../openapi/examples';
import { limitBody, requireJson } from '../middleware/request-guards';
import { AcceptedSchema, dataOf, errorResponses, SessionParams } from '../openapi/schemas';

const listApprovals = createRoute({
  method: 'get',
  path: '/v1/approvals',
  operationId: 'listApprovals',
  tags: ['Approvals'],
  summary: 'What people are asked now, oldest first',
  description:
    'Calls of tools that wait for an approval (`kind: approval`), and commands of which nobody knows whether they happened ' +
    '(`kind: unknown-outcome`), each with the ways to answer.',
  request: { query: z.object({ session: z.string().optional().meta({ description: 'Of this session alone' }) }) },
  responses: { 200: dataOf(z.array(PendingQuestionSchema), 'All that is open'), ...errorResponses(404, 503) },
});

const decideApproval = createRoute({
  method: 'post',
  path: '/v1/approvals/{approvalId}/decision',
  operationId: 'decideApproval',
  tags: ['Approvals'],
  summary: 'Answer a question about a call',
  description:
    'The first answer counts. It holds for the call as it was shown: when the page reads otherwise by then, the session asks ' +
    'again. With `modify_with_editor`, `args` stand for the whole arguments, `newContent` for the argument `content` alone.',
  middleware: [requireJson, limitBody] as const,
  request: {
    params: z.object({ approvalId: z.string().meta({ description: 'Id of the approval', example: APPROVAL_ID }) }),
    body: {
      required: true,
      content: {
        'application/json': {
          schema: DecideApprovalRequestSchema.omit({ approvalId: true }),
          example: { outcome: ToolConfirmationOutcome.ProceedOnce },
        },
      },
    },
  },
  responses: {
    202: dataOf(AcceptedSchema, 'Taken; the event log says how it goes on', acceptedExample),
    ...errorResponses(400, 404, 409, 413, 415, 503),
  },
});

const COMMON = {
  method: 'post' as const,
  tags: ['Approvals'],
  description: '409 when the session waits for none, or for more than one: then answer each by its own id.',
  responses: {
    202: dataOf(AcceptedSchema, 'Taken; the event log says how it goes on', acceptedExample),
    ...errorResponses(400, 404, 409, 413, 503),
  },
};

const approveSession = createRoute({
  ...COMMON,
  path: '/v1/sessions/{id}/approve',
  operationId: 'approveSession',
  summary: 'Approve the only call that a session waits for, once',
  request: { params: SessionParams },
});

const RejectionSchema = z.strictObject({ reason: z.string().max(1000).optional() });

const rejectSession = createRoute({
  ...COMMON,
  path: '/v1/sessions/{id}/reject',
  operationId: 'rejectSession',
  summary: 'Reject the only call that a session waits for',
  middleware: [limitBody] as const,
  request: {
    params: SessionParams,
    body: { content: { 'application/json': { schema: RejectionSchema, example: { reason: 'too dear' } } } },
  },
});

export function addApprovals(app: ApiApp, { sessions }: ApiParts): void {
  app.openapi(listApprovals, async (c) => {
    const found = await sessions.approvals(c.req.valid('query').session);
    return c.json(success(c, found), 200);
  });
  app.openapi(decideApproval, async (c) => {
    const { approvalId } = c.req.valid('param');
    const accepted = await sessions.decideApproval({ approvalId, ...c.req.valid('json') });
    return c.json(success(c, accepted), 202);
  });
  app.openapi(approveSession, async (c) => {
    const outcome = ToolConfirmationOutcome.ProceedOnce;
    const accepted = await sessions.decideOnlyApproval(c.req.valid('param').id, { outcome });
    return c.json(success(c, accepted), 202);
  });
  app.openapi(rejectSession, async (c) => {
    const { reason } = c.req.valid('json');
    const answer = { outcome: ToolConfirmationOutcome.Cancel, ...(reason === undefined ? {} : { reason }) };
    const accepted = await sessions.decideOnlyApproval(c.req.valid('param').id, answer);
    return c.json(success(c, accepted), 202);
  });
}
