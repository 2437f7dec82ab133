import type { ProcessRole } from '../../contracts/modules/operations';
import { durationText } from '../elements/age';
import { Panel } from './panel';
import type { Figures } from './queries';

/** The hosts of browsers, with those that are silent. */
export function Hosts({ of }: { of: Figures['hosts'] }) {
  return (
    <Panel
      title="Hosts"
      none="No host has ever reported. surefoot worker --role host starts one."
      columns={['Host', 'State', 'Browsers']}
      rows={of.map(({ hostId, reports, silentForMs, browsers, capacity }) => [
        hostId,
        reports ? (
          <span className="badge good">Reports</span>
        ) : (
          <span className="badge waiting">Silent for {durationText(silentForMs)}</span>
        ),
        reports ? <Use key="use" browsers={browsers} capacity={capacity} /> : '',
      ])}
    />
  );
}

function Use({ browsers, capacity }: { browsers: number; capacity: number }) {
  return (
    <span className="use">
      <meter min={0} max={Math.max(1, capacity)} value={browsers} aria-label="Browsers in use" /> {browsers} of{' '}
      {capacity}
    </span>
  );
}

const ROLES: Record<ProcessRole, string> = { engine: 'Engine workers', browser: 'Browser workers', api: 'APIs' };

/** How many processes of each kind run. */
export function Processes({ of }: { of: Figures['processes'] }) {
  const rows = (Object.entries(ROLES) as [ProcessRole, string][]).flatMap(([role, label]) => {
    const found = of.filter((process) => process.role === role);
    return found.length === 0 ? [[label, '0', '']] : found.map(({ count, version }) => [label, String(count), version]);
  });
  return <Panel title="Processes" none="None" columns={['Kind', 'Running', 'Version']} rows={rows} />;
}
