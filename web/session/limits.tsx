import { Facts } from '../elements/facts';
import { limitValues } from '../../contracts/sessions/activity-limits';
import { activityRows, limitPairs } from '../../contracts/sessions/activity-limits-text';
import type { Details } from '../connection/details';

/** How long each thing may take: as the session has it, and what that is for its activities in Temporal. */
export function Limits({ details }: { details: Details }) {
  const { timeouts, aiConfig, executorConfig } = details.request.config;
  const values = limitValues({ timeouts, ai: aiConfig, executor: executorConfig });
  return (
    <section className="card" aria-label="Limits">
      <details>
        <summary>Limits</summary>
        <Facts of={limitPairs(timeouts, aiConfig.timeoutMs, executorConfig.timeoutMs)} />
        <h3>Activities in Temporal</h3>
        <Facts
          of={activityRows(values).map(([names, sentTo, waits, once, all, heartbeat, tries]) => [
            names ?? '',
            `to ${sentTo}: ${waits === '–' ? '' : `waits ${waits} for a worker, `}one try ${once}, all tries ${all}, heartbeat ${heartbeat}, tries: ${tries}`,
          ])}
        />
      </details>
    </section>
  );
}
