import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'wouter';
import { client } from '../connection/client';
import { useTitle } from '../connection/waiting';
import { Problem } from '../elements/problem';
import { ScheduleCard } from './schedule-card';
import { SCHEDULES } from './queries';

const REFRESH_MS = 5000;

/** Every schedule, or those of the tenant that the address names; `openId` is shown with all that is known of it. */
export function Schedules({ openId }: { openId: string | undefined }) {
  useTitle('Schedules');
  const [params, setParams] = useSearchParams();
  const tenant = params.get('tenant') ?? '';
  const { data, error } = useQuery({
    queryKey: [SCHEDULES],
    queryFn: () => client.listSchedules(),
    refetchInterval: REFRESH_MS,
  });
  const all = data ?? [];
  const tenants = [...new Set([...all.map((schedule) => schedule.tenant), ...(tenant === '' ? [] : [tenant])])].sort();
  const shown = all.filter((schedule) => tenant === '' || schedule.tenant === tenant);
  return (
    <>
      <div className="together view-head">
        <h1>Schedules</h1>
        {tenants.length > 1 && (
          <select
            aria-label="Tenant"
            value={tenant}
            onChange={({ target }) => setParams(target.value === '' ? {} : { tenant: target.value })}
          >
            <option value="">All tenants</option>
            {tenants.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        )}
      </div>
      <Problem error={error} />
      {data !== undefined && shown.length === 0 && (
        <div className="nothing">
          <h2>{all.length === 0 ? 'There are no schedules' : `There are no schedules of ${tenant}`}</h2>
          <p className="quiet">
            <code>surefoot schedule create</code> or <code>POST /v1/schedules</code> makes one: a session nightly, every
            ten minutes, or once a month. A new one is listed a moment later.
          </p>
        </div>
      )}
      {openId !== undefined && data !== undefined && !shown.some(({ id }) => id === openId) && (
        <p className="problem" role="alert">
          There is no schedule {openId} in this list. It may have been deleted; a new one is listed a moment later.
        </p>
      )}
      <ul className="schedules">
        {shown.map((schedule) => (
          <ScheduleCard key={schedule.id} schedule={schedule} isOpen={schedule.id === openId} />
        ))}
      </ul>
    </>
  );
}
