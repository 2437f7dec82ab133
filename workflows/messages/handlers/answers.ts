import { unknownOutcomeName } from '../../../contracts/approvals/unknown-outcome';
import { currentUpdateInfo } from '@temporalio/workflow';
import { isCarried } from '../../../contracts/messages/added-steps';
import type { ANSWER_DEFINITIONS } from '../../../contracts/messages/definitions/answers';
import { budgetUses, budgetUseText, raiseBudget, spent } from '../../../contracts/models/budget';
import type { MessageHandlers } from '../message-handler';
import { refuseInput } from '../refusals';

const NOT_BY_TEMPORAL =
  'a history would keep it: answer by the page, `surefoot answer` or POST /v1/sessions/{id}/answer';

export const ANSWER_HANDLERS: MessageHandlers<keyof typeof ANSWER_DEFINITIONS> = {
  resolveUnknown: {
    obstacle({ unknownOutcome: { unknown } }, { commandId }) {
      if (unknown === undefined) return 'not waiting for one';
      if (unknown.commandId === commandId) return undefined;
      const waited = `${unknown.commandId} (${unknownOutcomeName(unknown)})`;
      return `waiting for the outcome of ${waited}, not of ${commandId}`;
    },
    apply: ({ unknownOutcome }, answer) => unknownOutcome.answer(answer),
  },
  answerSecret: {
    obstacle({ askedSecret: { secret } }, answer) {
      // An answer has its id from the stored message that it is.
      if (!isCarried(answer) || answer.messageId !== currentUpdateInfo()?.id)
        return refuseInput([{ path: 'value', message: NOT_BY_TEMPORAL }]);
      if (secret?.questionId === answer.questionId) return undefined;
      return `not waiting for it: the first answer counts, and the time for one ends`;
    },
    apply({ askedSecret }, answer) {
      if (isCarried(answer)) askedSecret.answer(answer);
    },
  },
  resolveBudget: {
    obstacle({ budget: wait }, decision) {
      const { use, budget } = wait;
      if (use === undefined || budget === undefined) return 'not waiting for one';
      if (decision.decision === 'end') return undefined;
      const raised = raiseBudget(budget, decision);
      const tooMuch = wait.floorIssues(raised);
      if (tooMuch.length > 0) return refuseInput(tooMuch);
      const still = spent(budgetUses(raised, { [use.limit]: use.used }));
      if (still === undefined) return undefined;
      const message = `expected more than is used already, got ${budgetUseText(still)}`;
      return refuseInput([{ path: use.limit, message }]);
    },
    apply: ({ budget }, decision) => budget.answer(decision),
  },
  decideApproval: {
    obstacle({ approvals: { pending } }, { approvalId }) {
      if (pending.some((each) => each.approvalId === approvalId)) return undefined;
      const waited = pending.map((each) => `${each.approvalId} (${each.toolName})`).join(', ');
      return waited === '' ? 'not waiting for one' : `waiting for ${waited}, not ${approvalId}`;
    },
    apply: ({ approvals }, decision) => approvals.answer(decision),
  },
  revokeApproval: {
    obstacle: ({ approvals }, { approvalId }) =>
      approvals.remembered.some((each) => each.approvalId === approvalId)
        ? undefined
        : `not holding ${approvalId} for good`,
    async apply({ approvals, session }, request) {
      approvals.revoke(request);
      await session.publish(`${request.approvalId} was revoked`);
    },
  },
};
