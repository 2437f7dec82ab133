import { useState } from 'react';
import { Link } from 'wouter';
import { useDetails } from '../connection/details';
import { useTitle } from '../connection/waiting';
import { Problem } from '../elements/problem';
import { Head } from './head';
import { AnsweredNote } from '../answers/answered';
import { NotifyButton } from '../answers/notify-button';
import { Questions } from '../answers/questions';

/** What one session asks, as links of webhooks lead to; where it was answered meanwhile, what became of it. */
export function QuestionView({ sessionId, approvalId }: { sessionId: string; approvalId?: string | undefined }) {
  const { data: details, error } = useDetails(sessionId);
  useTitle(details?.title ?? 'Question');
  const asks = details !== undefined && (details.approvals.length > 0 || details.waitingFor !== null);
  const [hasAsked, setAsked] = useState(approvalId !== undefined);
  if (asks && !hasAsked) setAsked(true);
  if (details === undefined)
    return (
      <>
        <Problem error={error} />
        {error === null ? <p className="quiet">Loading…</p> : <Link href="/waiting">Everything that waits</Link>}
      </>
    );
  return (
    <>
      <Head details={details} />
      {!asks && !hasAsked && (
        <AnsweredNote>This session asks nobody for anything now: it was answered meanwhile.</AnsweredNote>
      )}
      <Questions details={details} linked={approvalId} />
      <p className="together">
        <Link href={`/sessions/${sessionId}`}>The whole session</Link>
        <Link href="/waiting">Everything that waits</Link>
        <NotifyButton />
      </p>
    </>
  );
}
