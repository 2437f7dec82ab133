import type { Details } from '../connection/details';
import { ApprovalCard } from './approval-card';
import { BudgetCard } from './budget-card';
import { LookCard, MessageCard } from './message-card';
import { UnknownCard } from './unknown-card';

/** Everything that a session asks people, each with its facts and its answers; nothing where it asks nothing. */
export function Questions({ details }: { details: Details }) {
  const { approvals, session, waitingFor } = details;
  const { sessionId } = session;
  return (
    <>
      {approvals.map(
        (question) => question.kind === 'approval' && <ApprovalCard key={question.approvalId} approval={question} />,
      )}
      {waitingFor?.pausedFor === 'unknown-outcome' && <UnknownCard sessionId={sessionId} {...waitingFor} />}
      {waitingFor?.pausedFor === 'budget' && <BudgetCard sessionId={sessionId} {...waitingFor} />}
      {waitingFor?.pausedFor === 'message' && <MessageCard sessionId={sessionId} />}
      {waitingFor?.pausedFor === 'rolled-back-store' && <LookCard sessionId={sessionId} message={waitingFor.message} />}
    </>
  );
}
