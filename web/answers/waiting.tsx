import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Link } from 'wouter';
import { client } from '../connection/client';
import { useDetails } from '../connection/details';
import { useTitle } from '../connection/waiting';
import { Age } from '../elements/age';
import { Problem } from '../elements/problem';
import { StatusBadge } from '../elements/status';
import { NotifyButton } from './notify-button';
import { Questions } from './questions';
import { ProposedRecipes } from './recipes';

const REFRESH_MS = 3000;
const MOST = 200;
/** Questions that are shown with all their facts from the start. */
const OPEN_AT_FIRST = 3;

type Waiting = NonNullable<Awaited<ReturnType<typeof client.listSessions>>['data']>[number];

/** Every session that waits for a person, those that wait longest first, with the answers in place. */
export function WaitingView() {
  useTitle('Waiting');
  useQuestionKeys();
  const { data, error } = useQuery({
    queryKey: ['waiting'],
    queryFn: () => client.listSessions({ waiting: 'true', sort: 'lastActivity', pageSize: MOST }),
    refetchInterval: REFRESH_MS,
  });
  const sessions = data?.data ?? [];
  const total = data?.pagination.total ?? 0;
  // What was answered while it stood here stays, and says so.
  const [shown, setShown] = useState<readonly Waiting[]>([]);
  const fresh = sessions.filter(({ sessionId }) => !shown.some((each) => each.sessionId === sessionId));
  if (fresh.length > 0) setShown([...shown, ...fresh]);
  return (
    <>
      <div className="together view-head">
        <h1>Waits for a person</h1>
        <NotifyButton />
      </div>
      <Problem error={error} />
      {data !== undefined && total === 0 && (
        <div className="nothing">
          <h2>Nobody waits for you</h2>
          <p className="quiet">
            Approvals, unknown outcomes, codes by mail or SMS, used-up budgets and idle conversations appear here by
            themselves.
          </p>
        </div>
      )}
      {total > 1 && (
        <p className="hint">
          <kbd>j</kbd> and <kbd>k</kbd> lead to the next question and back.
        </p>
      )}
      <ul className="waiting">
        {shown.map((session, index) => (
          <WaitingSession
            key={session.sessionId}
            session={sessions.find(({ sessionId }) => sessionId === session.sessionId) ?? session}
            isWaiting={sessions.some(({ sessionId }) => sessionId === session.sessionId)}
            isFirst={index < OPEN_AT_FIRST}
          />
        ))}
      </ul>
      {total > sessions.length && (
        <p className="quiet">{total - sessions.length} more wait; they follow once these are answered.</p>
      )}
      <ProposedRecipes />
    </>
  );
}

function WaitingSession({ session, isWaiting, isFirst }: { session: Waiting; isWaiting: boolean; isFirst: boolean }) {
  const [isOpen, setOpen] = useState(isFirst);
  const { sessionId, title, status, waitsFor, lastActivity } = session;
  return (
    <li className="card">
      <div className="together waiting-row">
        <Link href={`/sessions/${sessionId}`}>{title || sessionId}</Link>
        {isWaiting ? (
          <>
            <StatusBadge status={status} waitsFor={waitsFor} />
            <span className="quiet">
              for <Age since={lastActivity} />
            </span>
            <button aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
              {isOpen ? 'Close' : 'Answer'}
            </button>
          </>
        ) : (
          <span className="badge">Waits for nobody any more</span>
        )}
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

/** Leads from question to question by `j` and `k`, as far as nobody types. */
function useQuestionKeys(): void {
  useEffect(() => {
    function move({ key, target, ctrlKey, metaKey, altKey }: KeyboardEvent): void {
      if ((key !== 'j' && key !== 'k') || ctrlKey || metaKey || altKey) return;
      if (target instanceof HTMLElement && target.closest('input, textarea, select, dialog') !== null) return;
      const questions = [...document.querySelectorAll<HTMLElement>('.question')];
      const at = questions.findIndex((question) => question.contains(document.activeElement));
      questions.at(key === 'j' ? Math.min(at + 1, questions.length - 1) : Math.max(at - 1, 0))?.focus();
    }
    document.addEventListener('keydown', move);
    return () => document.removeEventListener('keydown', move);
  }, []);
}
