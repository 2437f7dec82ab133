import { Link, useSearchParams } from 'wouter';
import { Age, TimeLeft } from '../elements/age';
import { Facts } from '../elements/facts';
import { ScheduleControls } from './controls';
import { ScheduleMore } from './more';
import type { Schedule } from './queries';

/** One schedule: when it starts sessions, the newest of them, and what can be done with it. */
export function ScheduleCard({ schedule, isOpen }: { schedule: Schedule; isOpen: boolean }) {
  const { id, tenant, cron, every, timeZone, paused, note, nextStarts, sessions } = schedule;
  const [next] = nextStarts;
  const [newest] = sessions;
  const [params] = useSearchParams();
  const search = params.size === 0 ? '' : `?${params.toString()}`;
  return (
    <li className="card schedule" aria-label={`Schedule ${id}`}>
      <div className="together schedule-head">
        <h2>
          <Link
            href={isOpen ? `/schedules${search}` : `/schedules/${encodeURIComponent(id)}${search}`}
            aria-expanded={isOpen}
          >
            {id}
          </Link>
        </h2>
        <span className={`badge ${paused ? 'waiting' : 'good'}`}>{paused ? 'Paused' : 'Active'}</span>
        {tenant !== 'default' && <span className="quiet">{tenant}</span>}
        <ScheduleControls schedule={schedule} />
      </div>
      <Facts
        of={[
          ['When', <When key="when" cron={cron} every={every} timeZone={timeZone} />],
          [
            'Next',
            next === undefined ? paused ? 'none while it is paused' : 'none' : <TimeLeft key="next" until={next} />,
          ],
          [
            'Newest session',
            newest && (
              <Link key="newest" href={`/sessions/${newest.sessionId}`}>
                <Age since={newest.startedAt} /> ago
              </Link>
            ),
          ],
          ['Note', note],
        ]}
      />
      {isOpen && <ScheduleMore schedule={schedule} />}
    </li>
  );
}

function When({ cron, every, timeZone }: Pick<Schedule, 'cron' | 'every' | 'timeZone'>) {
  return (
    <span className="together">
      {cron.map((expression) => (
        <code key={expression}>{expression}</code>
      ))}
      {cron.length > 0 && <span>{timeZone}</span>}
      {every.map((interval) => (
        <span key={interval}>every {interval}</span>
      ))}
    </span>
  );
}
