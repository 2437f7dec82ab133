import type { CliCommand } from '../context/define-command';
import { withBatches, withBatchId, type TenantOption } from './with-batches';

const changing = (
  name: 'pause' | 'resume' | 'cancel',
  summary: string,
  description: string,
  done: string,
): CliCommand => ({
  name,
  summary,
  description,
  examples: [[`surefoot batch ${name} may`, 'one batch']],
  define: (command, end) =>
    withBatchId(command).action(async (id: string, { tenant }: TenantOption) =>
      end(
        await withBatches(async (batches, terminal) => {
          await batches[name]({ id, tenant });
          terminal.print(`The batch ${id} ${done}.`);
        }),
      ),
    ),
});

export const pauseBatch = changing(
  'pause',
  'have a batch start no further row',
  'Pauses a batch. Sessions that are open go on.',
  'is paused',
);

export const resumeBatch = changing(
  'resume',
  'have a paused batch go on',
  'Resumes a batch with the rows that wait.',
  'goes on',
);

export const cancelBatch = changing(
  'cancel',
  'cancel a batch and its open sessions',
  'Cancels the sessions that are open, and starts no further row. `retry` runs these rows again.',
  'is being cancelled',
);

export const retryBatch: CliCommand = {
  name: 'retry',
  summary: 'run the rows again that have failed or were cancelled',
  description:
    'Each runs as another session. Rows that are done, and invalid ones, stay as they are; what a step with `once` has done is not done again.',
  examples: [['surefoot batch retry may', 'what has failed']],
  define: (command, end) =>
    withBatchId(command).action(async (id: string, { tenant }: TenantOption) =>
      end(
        await withBatches(async (batches, terminal) => {
          const { retried } = await batches.retry({ id, tenant });
          terminal.print(
            retried === 0
              ? `No row of ${id} has failed or was cancelled.`
              : `${retried === 1 ? '1 row' : `${retried} rows`} of ${id} will run again.`,
          );
        }),
      ),
    ),
};
