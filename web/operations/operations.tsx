import type { Period } from '../../contracts/modules/operations';
import { useTitle } from '../connection/waiting';
import { Problem } from '../elements/problem';
import { Failures, Spent } from './came-of-it';
import { Charts } from './charts';
import { Hosts, Processes } from './hosts';
import { Models } from './models';
import { Numbers } from './numbers';
import { useOperations } from './queries';
import { Retention } from './retention';
import { Troubles } from './troubles';

const PERIODS: Record<Period, string> = { day: 'Day', week: 'Week', month: 'Month' };

/** What runs, waits, costs and fails, and what to do; period and tenant live in the address. */
export function Operations() {
  useTitle('Operations');
  const { data, error, period, tenant, choose, timeZone } = useOperations();
  return (
    <div className="operations">
      <div className="together view-head">
        <h1>Operations</h1>
        <search className="together">
          <div className="choices" role="group" aria-label="Period">
            {Object.entries(PERIODS).map(([name, label]) => (
              <button key={name} type="button" aria-pressed={period === name} onClick={() => choose('period', name)}>
                {label}
              </button>
            ))}
          </div>
          <input
            aria-label="Tenant"
            placeholder="All tenants"
            value={tenant}
            onChange={({ target }) => choose('tenant', target.value)}
          />
        </search>
      </div>
      <Problem error={error} />
      {data === undefined ? (
        error === null && <p className="quiet">Loading…</p>
      ) : (
        <>
          <Troubles of={data.troubles} />
          <Numbers figures={data} period={period} />
          <Charts history={data.history} period={period} timeZone={timeZone} />
          <div className="panels">
            <Failures of={data.failures} />
            <Spent of={data.spent} />
            <Hosts of={data.hosts} />
            <Processes of={data.processes} />
            <Models figures={data} />
            <Retention of={data.retention} />
          </div>
          {tenant !== '' && <p className="hint">Hosts, workers, models and retention are those of all tenants.</p>}
        </>
      )}
    </div>
  );
}
