import { Link } from 'wouter';
import { approvalsOf, useDetails } from '../connection/details';
import { useTitle } from '../connection/waiting';
import { Problem } from '../elements/problem';
import { Head } from '../session/head';
import { AnsweredApproval, AnsweredNote } from './answered';
import { NotifyButton } from './notify-button';
import { Questions } from './questions';

/** What one session asks, as links of webhooks lead to; where it was answered meanwhile, what became of it. */
export function QuestionView({ sessionId, approvalId }: { sessionId: string; approvalId?: string | undefined }) {
  const { data: details, error } = useDetails(sessionId);
  useTitle(details?.title ?? 'Question');
  if (details === undefined)
    return (
      <>
        <Problem error={error} />
        {error === null ? <p className="quiet">Loading…</p> : <Link href="/waiting">Everything that waits</Link>}
      </>
    );
  const { waitingFor } = details;
  const approvals = approvalsOf(details);
  const isOpen = approvals.some((each) => each.approvalId === approvalId);
  return (
    <>
      <Head details={details} />
      {approvalId !== undefined && !isOpen && <AnsweredApproval approvalId={approvalId} />}
      {approvals.length === 0 && waitingFor === null && approvalId === undefined && (
        <AnsweredNote>This session asks nobody for anything now: it was answered meanwhile.</AnsweredNote>
      )}
      <Questions details={details} />
      <p className="together">
        <Link href={`/sessions/${sessionId}`}>The whole session</Link>
        <Link href="/waiting">Everything that waits</Link>
        <NotifyButton />
      </p>
    </>
  );
}
