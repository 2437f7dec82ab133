import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { client } from '../connection/client';
import { useDetails } from '../connection/details';
import { useTitle } from '../connection/waiting';
import { Age } from '../elements/age';
import { Problem } from '../elements/problem';
import { StatusBadge } from '../elements/status';
import { Questions } from './questions';

const REFRESH_MS = 3000;
const MOST = 200;
/** Questions that are shown with all their facts from the start. */
const OPEN_AT_FIRST = 3;

type Waiting = NonNullable<Awaited<ReturnType<typeof client.listSessions>>['data']>[number];

/** Every session that waits for a person, those that wait longest first, with the answers in place. */
export function WaitingView() {
  useTitle('Waiting');
  const { data, error } = useQuery({
    queryKey: ['waiting'],
    queryFn: () => client.listSessions({ waiting: 'true', sort: 'lastActivity', pageSize: MOST }),
    refetchInterval: REFRESH_MS,
  });
  const sessions = data?.data ?? [];
  const total = data?.pagination.total ?? 0;
  return (
    <>
      <div className="together waiting-head">
        <h1>Waits for a person</h1>
        <NotifyButton />
      </div>
      <Problem error={error} />
      {data !== undefined && total === 0 && (
        <div className="nothing">
          <h2>Nobody waits for you</h2>
          <p className="quiet">
            Approvals, unknown outcomes, used-up budgets and idle conversations appear here by themselves.
          </p>
        </div>
      )}
      <ul className="waiting">
        {sessions.map((session, index) => (
          <WaitingSession key={session.sessionId} session={session} isFirst={index < OPEN_AT_FIRST} />
        ))}
      </ul>
      {total > sessions.length && (
        <p className="quiet">{total - sessions.length} more wait; they follow once these are answered.</p>
      )}
    </>
  );
}

function WaitingSession({ session, isFirst }: { session: Waiting; isFirst: boolean }) {
  const [isOpen, setOpen] = useState(isFirst);
  const { sessionId, title, status, waitsFor, lastActivity } = session;
  return (
    <li className="card">
      <div className="together waiting-row">
        <Link href={`/sessions/${sessionId}`}>{title || sessionId}</Link>
        <StatusBadge status={status} waitsFor={waitsFor} />
        <span className="quiet">
          for <Age since={lastActivity} />
        </span>
        <button aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Close' : 'Answer'}
        </button>
      </div>
      {isOpen && <SessionQuestions sessionId={sessionId} />}
    </li>
  );
}

function SessionQuestions({ sessionId }: { sessionId: string }) {
  const { data, error } = useDetails(sessionId);
  return (
    <>
      <Problem error={error} />
      {data === undefined ? <p className="quiet">Loading…</p> : <Questions details={data} />}
    </>
  );
}

/** Asks the browser, when the reader wants that, to be notified of new questions. */
function NotifyButton() {
  const [permission, setPermission] = useState(() => ('Notification' in window ? Notification.permission : 'denied'));
  if (permission !== 'default') return null;
  return (
    <button onClick={() => void Notification.requestPermission().then(setPermission)}>Notify me of new ones</button>
  );
}
