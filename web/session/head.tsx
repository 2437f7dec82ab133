import type { Details } from '../connection/details';
import { Since, Until } from '../elements/age';
import { beginsAt } from '../elements/begins';
import { useFrozen } from '../elements/frozen';
import { StatusBadge } from '../elements/status';
import type { WaitsFor } from '../../contracts/sessions/session-list';

/** What the session waits for, as the list has it. */
export function waitsFor({ waitingFor, approvals }: Details): WaitsFor | undefined {
  return waitingFor?.pausedFor ?? (approvals.length > 0 ? 'approval' : undefined);
}

/** Name and status of a session, and where to look further. */
export function Head({ details }: { details: Details }) {
  const { title, session, progress, usage, queuePosition, notBefore, pageWait, links } = details;
  const { sessionId, status, createdAt } = session;
  const isFrozen = useFrozen() !== undefined;
  const begins = beginsAt(status, notBefore);
  const { completedSteps, totalSteps, overallProgress } = progress;
  return (
    <header className="session-head">
      <div className="together">
        <h1>{title || 'Session'}</h1>
        <StatusBadge status={status} waitsFor={waitsFor(details)} isAsleep={pageWait !== undefined} />
      </div>
      <p className="quiet meta">
        <span>
          {completedSteps} of {totalSteps} steps done
        </span>
        <span>
          <Since what="started" at={createdAt} />
        </span>
        {begins !== undefined && (
          <span>
            <Until what="begins" at={begins} />
          </span>
        )}
        {pageWait !== undefined && (
          <span title={pageWait.seen}>
            waits for {pageWait.waitsFor}, <Until what="looks again" at={pageWait.nextLookAt} />
          </span>
        )}
        {queuePosition !== undefined && <span>place {queuePosition} in the queue for a browser</span>}
        {usage.calls > 0 && (
          <span>
            {usage.totalTokens.toLocaleString()} tokens, ${usage.cost}
          </span>
        )}
        <code title="Id of the session">{sessionId}</code>
      </p>
      <progress value={overallProgress} max={100} aria-label="Steps done" />
      {!isFrozen && (
        <nav className="meta" aria-label="More about this session">
          <a href={`/v1/sessions/${sessionId}/report`} target="_blank" rel="noreferrer">
            Report to share
          </a>
          <a href={links.events} target="_blank" rel="noreferrer">
            Events as JSON
          </a>
          {links.temporal !== undefined && (
            <a href={links.temporal} target="_blank" rel="noreferrer">
              In Temporal
            </a>
          )}
        </nav>
      )}
    </header>
  );
}
