import type { CliCommand } from '../context/define-command';
import { JSON_OPTION } from '../input/options';
import { printTable } from '../terminal/print-table';
import { whenText, withSchedules, type TenantOption } from './with-schedules';

export const listSchedules: CliCommand = {
  name: 'list',
  summary: 'list schedules, and when each starts next',
  description:
    'Lists what starts sessions, also schedules that were made by other means. A new one is shown a moment later.',
  examples: [['surefoot schedule list', 'those of all tenants']],
  define: (command, end) =>
    command
      .option('--tenant <name>', 'only those of this tenant')
      .option(...JSON_OPTION)
      .action(async (options: TenantOption & { json?: true }) => end(await list(options))),
};

async function list({ tenant, json }: TenantOption & { json?: true }): Promise<number> {
  return await withSchedules(async (schedules, terminal) => {
    const found = await schedules.list(tenant);
    if (json === true) return terminal.printJson(found, 2);
    if (found.length === 0) return terminal.print('There is no schedule yet.');
    printTable(
      terminal,
      ['ID', 'TENANT', 'STATE', 'NEXT START', 'LAST SESSION', 'WHEN'],
      found.map((schedule) => {
        const { id, tenant: owner, paused, nextStarts, sessions } = schedule;
        const next = nextStarts[0]?.toISOString() ?? '-';
        return [id, owner, paused ? 'paused' : 'active', next, sessions[0]?.sessionId ?? '-', whenText(schedule)];
      }),
    );
  });
}
