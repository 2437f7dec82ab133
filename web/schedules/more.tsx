import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { client } from '../connection/client';
import { Age } from '../elements/age';
import { Facts } from '../elements/facts';
import { Problem } from '../elements/problem';
import { StatusBadge } from '../elements/status';
import { SCHEDULES, type Schedule, type ScheduleDetails } from './queries';

const REFRESH_MS = 5000;
const SHOWN_STARTS = 4;

/** What a schedule starts, what is done when one is open, and its newest sessions. */
export function ScheduleMore({ schedule: { id } }: { schedule: Schedule }) {
  const { data, error } = useQuery({
    queryKey: [SCHEDULES, id],
    queryFn: () => client.showSchedule(id),
    refetchInterval: REFRESH_MS,
  });
  if (data === undefined) return error === null ? <p className="quiet">Loading…</p> : <Problem error={error} />;
  const { overlap, catchUp, counts, createdAt, nextStarts, request } = data;
  return (
    <div className="schedule-more">
      <Problem error={error} />
      <Facts
        of={[
          ['Started so far', counts.started],
          ['Skipped because one was open', counts.skipped],
          ['Missed by more than the catch-up', counts.missed],
          ['While one is open', overlap],
          ['Catch-up', catchUp],
          ['Created', new Date(createdAt).toLocaleString()],
          [
            'Then',
            nextStarts
              .slice(1, SHOWN_STARTS)
              .map((at) => new Date(at).toLocaleString())
              .join('\n'),
          ],
        ]}
      />
      <h3>Newest sessions</h3>
      <NewestSessions of={data.sessions} />
      <details>
        <summary>What it starts</summary>
        <pre>{JSON.stringify(request, null, 2)}</pre>
      </details>
    </div>
  );
}

function NewestSessions({ of }: { of: ScheduleDetails['sessions'] }) {
  if (of.length === 0) return <p className="quiet">None yet. “Start now” starts one at once.</p>;
  return (
    <ul className="schedule-sessions">
      {of.map(({ sessionId, workflowId, scheduledAt, status }) => (
        <li key={workflowId}>
          {status === undefined ? (
            <>
              <span>{sessionId.slice(0, 8)}</span>
              <span className="badge" title="It has not begun, or was erased">
                Unknown
              </span>
            </>
          ) : (
            <>
              <Link href={`/sessions/${sessionId}`}>{sessionId.slice(0, 8)}</Link>
              <StatusBadge status={status} />
            </>
          )}
          <span className="quiet">
            due <Age since={scheduledAt} /> ago
          </span>
        </li>
      ))}
    </ul>
  );
}
