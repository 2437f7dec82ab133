import type { CliCommand } from '../context/define-command';
import { JSON_OPTION } from '../input/options';
import { toAge } from '../terminal/duration';
import { printTable } from '../terminal/print-table';
import { progressText, withBatches, type TenantOption } from './with-batches';

export const listBatches: CliCommand = {
  name: 'list',
  summary: 'list batches, the newest first',
  description: 'Lists the newest 100 batches, and how far each is.',
  examples: [['surefoot batch list', 'those of all tenants']],
  define: (command, end) =>
    command
      .option('--tenant <name>', 'only those of this tenant')
      .option(...JSON_OPTION)
      .action(async (options: TenantOption & { json?: true }) => end(await list(options))),
};

async function list({ tenant, json }: TenantOption & { json?: true }): Promise<number> {
  return await withBatches(async (batches, terminal) => {
    const found = await batches.list(tenant);
    if (json === true) return terminal.printJson(found, 2);
    if (found.length === 0) return terminal.print('There is no batch yet.');
    printTable(
      terminal,
      ['ID', 'TENANT', 'STATE', 'AGE', 'ROWS'],
      found.map((batch) => [
        batch.id,
        batch.tenant,
        batch.state,
        toAge(Date.now() - batch.createdAt.getTime()),
        progressText(batch),
      ]),
    );
  });
}
