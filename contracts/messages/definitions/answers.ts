import { DecideApprovalRequestSchema, decisionIssues } from '../../approvals/approval';
import { RevokeApprovalRequestSchema } from '../../approvals/remembered-approval';
import { AnswerSecretRequestSchema } from '../../approvals/asked-secret';
import { ResolveUnknownRequestSchema } from '../../approvals/unknown-outcome';
import { ResolveBudgetRequestSchema } from '../../models/budget';
import { ToolConfirmationOutcome } from '../../approvals/confirmation-outcome';
import { defineMessage } from '../define-message';

const WATCH = { command: 'watch', does: 'follows it' };

/** The answers of people to what a session waits for. */
export const ANSWER_DEFINITIONS = {
  resolveUnknown: defineMessage({
    verb: 'given this answer',
    schema: ResolveUnknownRequestSchema,
    path: '/v1/sessions/{id}/resolve-unknown',
    operationId: 'resolveUnknown',
    summary: 'Say whether a command of unknown outcome happened',
    description:
      'For a session that waits because its worker or browser died in a click or key press. Look for the effect ' +
      'first: where it happened, the session goes on from the page as it is; where it did not, the command is run ' +
      'again. The first answer counts.',
    example: { commandId: '0198c1f0-5f3e-7c1a-9d20-2b1c8f1e7a01.7.0.2', happened: true },
    done: (_receipt, { happened }) => (happened ? 'goes on from the page as it is' : 'runs the command again'),
    next: WATCH,
  }),
  answerSecret: defineMessage({
    verb: 'given this answer',
    schema: AnswerSecretRequestSchema,
    secretMember: 'value',
    path: '/v1/sessions/{id}/answer',
    operationId: 'answerSecret',
    summary: 'Answer what a session asks a person for, such as a code by SMS',
    description:
      'For a session that waits for the value of a secret with `ask`. The first answer counts, and is used once.',
    example: { value: '123456' },
    done: () => 'goes on with the answer',
    next: WATCH,
  }),
  resolveBudget: defineMessage({
    verb: 'given this decision',
    schema: ResolveBudgetRequestSchema,
    path: '/v1/sessions/{id}/resolve-budget',
    operationId: 'resolveBudget',
    summary: 'Decide how a session goes on whose budget is used up',
    description:
      'For a session that has used what `config.budget` allows. `raise` names higher limits, with which it goes on; ' +
      '`end` ends it, with the results of the steps that are done. The first decision counts.',
    example: { decision: 'raise', maxCost: '2.50' },
    done: (_receipt, { decision }) => (decision === 'end' ? 'ends with what is done' : 'goes on with the new budget'),
    next: WATCH,
  }),
  decideApproval: defineMessage({
    verb: 'given this answer',
    schema: DecideApprovalRequestSchema,
    issues: decisionIssues,
    path: '/v1/approvals/{approvalId}/decision',
    operationId: 'decideApproval',
    summary: 'Answer a question about a call',
    description:
      'The first answer counts. It holds for the call as it was shown: when the page reads otherwise by then, the ' +
      'session asks again. With `modify_with_editor`, `args` stand for the whole arguments, `newContent` for the ' +
      'argument `content` alone.',
    example: { outcome: ToolConfirmationOutcome.ProceedOnce, by: 'ada' },
    done: (_receipt, { outcome }) =>
      outcome === ToolConfirmationOutcome.Cancel ? 'goes on without the call' : 'goes on with the call',
    next: WATCH,
  }),
  revokeApproval: defineMessage({
    verb: 'asked to revoke an approval',
    schema: RevokeApprovalRequestSchema,
    path: '/v1/approvals/{approvalId}/revoke',
    operationId: 'revokeApproval',
    summary: 'Revoke an approval that holds for the rest of a session',
    description:
      'What it covers waits for an answer again. It is refused where the approval covers nothing, or no more.',
    example: { by: 'ada' },
    done: () => 'asks again from now on',
  }),
};
