import { useState } from 'react';
import { approvalsOf, type Details } from '../connection/details';
import { AnsweredApproval, AnsweredNote } from './answered';
import { ApprovalCard } from './approval-card';
import { BudgetCard } from './budget-card';
import { LookCard, MessageCard } from './message-card';
import { SecretCard } from './secret-card';
import { UnknownCard } from './unknown-card';

type WaitingFor = NonNullable<Details['waitingFor']>;

/**
 * Everything that a session asks people, each with its facts and its answers; nothing where it asks nothing. Where a question
 * was answered while it stood here, or the one that a link leads to was before, its place says so.
 */
export function Questions({ details, linked }: { details: Details; linked?: string | undefined }) {
  const { session, waitingFor } = details;
  const approvals = approvalsOf(details);
  const { sessionId } = session;
  const [shown, setShown] = useState<readonly string[]>(linked === undefined ? [] : [linked]);
  const [wait, setWait] = useState<WaitingFor['pausedFor']>();
  const fresh = approvals.filter(({ approvalId }) => !shown.includes(approvalId));
  if (fresh.length > 0) setShown([...shown, ...fresh.map(({ approvalId }) => approvalId)]);
  if (waitingFor !== null && waitingFor.pausedFor !== wait) setWait(waitingFor.pausedFor);
  return (
    <>
      {shown.map((approvalId) => {
        const approval = approvals.find((each) => each.approvalId === approvalId);
        return approval === undefined ? (
          <AnsweredApproval key={approvalId} approvalId={approvalId} />
        ) : (
          <ApprovalCard key={approvalId} approval={approval} />
        );
      })}
      {waitingFor === null
        ? wait !== undefined && <AnsweredNote>{OVER[wait]}</AnsweredNote>
        : waitCard(sessionId, waitingFor)}
    </>
  );
}

function waitCard(sessionId: string, waitingFor: WaitingFor) {
  switch (waitingFor.pausedFor) {
    case 'unknown-outcome':
      return <UnknownCard sessionId={sessionId} {...waitingFor} />;
    case 'secret':
      return <SecretCard key={waitingFor.secret.questionId} sessionId={sessionId} secret={waitingFor.secret} />;
    case 'budget':
      return <BudgetCard sessionId={sessionId} {...waitingFor} />;
    case 'message':
      return <MessageCard sessionId={sessionId} />;
    case 'rolled-back-store':
      return <LookCard sessionId={sessionId} message={waitingFor.message} />;
  }
}

const OVER: Record<WaitingFor['pausedFor'], string> = {
  'unknown-outcome': 'It is no longer asked whether it happened: that was answered, or the session has ended.',
  secret: 'It was answered, its time is over, or the session has ended.',
  budget: 'The budget was decided on, or the session has ended.',
  message: 'The conversation goes on, or was closed.',
  'rolled-back-store': 'Somebody has looked, or the session has ended.',
};
