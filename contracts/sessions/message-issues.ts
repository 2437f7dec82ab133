import { DecideApprovalRequestSchema, decisionIssues } from '../approvals/approval';
import { RevokeApprovalRequestSchema } from '../approvals/remembered-approval';
import { ResolveUnknownRequestSchema } from '../approvals/unknown-outcome';
import { inputIssues, type Issue } from '../errors/issues';
import { ResolveBudgetRequestSchema } from '../models/budget';
import { CancelCallRequestSchema } from '../tools/call-cancellation';
import type { SessionConfig } from './config';
import type { OrderKind } from './order';
import { sizeProblem } from './size-limits';
import { parseSteps } from './start-request';

/** The messages that have an input. */
export type MessageWithInput = Extract<
  OrderKind,
  'addSteps' | 'cancelCall' | 'resolve-unknown' | 'resolve-budget' | 'decide-approval' | 'revoke-approval'
>;

/** What is wrong with the input of a message to a session; empty for a valid one. */
export function messageIssues(kind: MessageWithInput, input: unknown, config: SessionConfig): Issue[] {
  switch (kind) {
    case 'addSteps': {
      const problem = sizeProblem('The addition', input);
      if (problem !== undefined) return [{ path: 'steps', message: problem }];
      const parsed = parseSteps(input, config);
      return parsed.kind === 'invalid' ? parsed.issues : [];
    }
    case 'decide-approval': {
      const parsed = DecideApprovalRequestSchema.safeParse(input);
      return parsed.success ? decisionIssues(parsed.data) : inputIssues(DecideApprovalRequestSchema, input);
    }
    case 'revoke-approval':
      return inputIssues(RevokeApprovalRequestSchema, input);
    case 'cancelCall':
      return inputIssues(CancelCallRequestSchema, input);
    case 'resolve-unknown':
      return inputIssues(ResolveUnknownRequestSchema, input);
    case 'resolve-budget':
      return inputIssues(ResolveBudgetRequestSchema, input);
  }
}
