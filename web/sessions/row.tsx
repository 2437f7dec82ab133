import { Link } from 'wouter';
import { Age } from '../elements/age';
import { beginsAt } from '../elements/begins';
import { StatusBadge } from '../elements/status';
import type { Row } from './pages';

/** Where a session is, in few words. */
function placeText({ queuePosition, notBefore, pageWait, totalSteps, currentStep, status, errorMessage }: Row): string {
  const begins = beginsAt(status, notBefore);
  if (begins !== undefined) return `Begins ${new Date(begins).toLocaleString()}`;
  if (queuePosition !== undefined) return `Place ${queuePosition} in the queue for a browser`;
  if (pageWait !== undefined) return `Looks again ${new Date(pageWait.nextLookAt).toLocaleString()}`;
  if (status === 'FAILED' && errorMessage !== undefined) return errorMessage;
  const isDone = status === 'COMPLETED';
  return isDone
    ? `${totalSteps} ${totalSteps === 1 ? 'step' : 'steps'}`
    : `Step ${Math.min(currentStep + 1, totalSteps)} of ${totalSteps}`;
}

/** One session of the list: the whole row leads to it. */
export function SessionRow({ row }: { row: Row }) {
  const cost = Number(row.cost);
  return (
    <Link href={`/sessions/${row.sessionId}`} className="row">
      <span className="name">
        <span className="title">{row.title || 'No steps yet'}</span>
        <span className="quiet">
          {row.sessionId.slice(0, 8)}
          {row.tenant === 'default' ? '' : ` · ${row.tenant}`}
        </span>
      </span>
      <StatusBadge status={row.status} waitsFor={row.waitsFor} isAsleep={row.pageWait !== undefined} />
      <span className="place quiet" title={placeText(row)}>
        {placeText(row)}
      </span>
      <span className="cost quiet">{cost === 0 ? '' : `$${cost.toFixed(cost < 0.1 ? 4 : 2)}`}</span>
      <span className="age quiet">
        <Age since={row.createdAt} />
      </span>
    </Link>
  );
}
