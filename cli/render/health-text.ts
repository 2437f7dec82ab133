import type { SessionHealth } from '../../contracts/modules/session-health';
import { toTable } from '../terminal/table';

/** Renders a line for each module session, and the recommendations. */
export function healthLines({ modules, integrity, isHealthy }: SessionHealth): string[] {
  const rows = modules.map(({ moduleId, status, lastActivity, isLinked, isCarried }) => [
    moduleId,
    status,
    lastActivity.toISOString().slice(0, 19).replace('T', ' '),
    isLinked ? 'yes' : 'NO',
    isCarried ? 'yes' : 'NO',
  ]);
  const table =
    rows.length === 0 ? [] : toTable(['MODULE', 'STATUS', 'LAST ACTIVITY (UTC)', 'LINKED', 'CARRIED'], rows);
  return [...table, ...(table.length === 0 ? [] : ['']), verdict(isHealthy, modules), ...integrity.recommendations];
}

function verdict(isHealthy: boolean, modules: SessionHealth['modules']): string {
  if (isHealthy) return modules.length === 0 ? 'No module has a session for it any more.' : 'All modules are healthy.';
  const idle = modules.filter(({ isCarried }) => !isCarried).map(({ moduleId }) => moduleId);
  return idle.length === 0
    ? 'Not all modules are healthy:'
    : `Not all modules are healthy: no process does the work of ${idle.join(', ')}.`;
}
