import { Option } from 'commander';
import { RowsFormatSchema, type RowsFormat } from '../../contracts/batches/rows-input';
import type { CliCommand } from '../context/define-command';
import { withBatches, withBatchId, type TenantOption } from './with-batches';

export const batchResults: CliCommand = {
  name: 'results',
  summary: 'print what came of the rows so far',
  description:
    'Prints the rows that have ended so far, in the order of the list, with their state, session, variables, reason and result. A ' +
    'result is JSON in a CSV too.',
  examples: [
    ['surefoot batch results may > results.csv', 'a table'],
    ['surefoot batch results may --format jsonl | jq -c "select(.state == \\"failed\\")"', 'what has failed'],
  ],
  define: (command, end) =>
    withBatchId(command)
      .addOption(new Option('--format <format>', 'csv or JSON lines').choices(RowsFormatSchema.options).default('csv'))
      .action(async (id: string, { tenant, format }: TenantOption & { format: RowsFormat }) =>
        end(
          await withBatches(async (batches, terminal) => {
            for await (const text of await batches.results({ id, tenant }, format)) terminal.printFile(text);
          }),
        ),
      ),
};
