import { WorkflowNotFoundError, type Client } from '@temporalio/client';
import { batchWorkflowId } from '../contracts/batches/batch';
import { BATCH_CHANGED_SIGNAL } from '../contracts/queues';
import type { Logger } from '../runtime/process';
import { startSweep, type Sweep } from '../runtime/sweep';
import { wakeBatch } from '../service/batches/wake-batch';
import type { Store } from '../store/store';

const PAUSE_MS = 1000;
const AT_ONCE = 50;
const ENDED_ELSEWHERE =
  'Its workflow was ended in Temporal. A resume starts another, which goes on with the rows that are left.';

/**
 * Signals the workflow of each batch of which rows have ended, or whose change it may not have heard of. Where a row was started by an
 * earlier run of the workflow, nobody else does.
 */
export function startBatchSweep({ store, client, logger }: { store: Store; client: Client; logger: Logger }): Sweep {
  const wake = async ({ batchId, isAsked }: { batchId: string; isAsked: boolean }): Promise<void> => {
    if (isAsked) return await wakeBatch({ store, temporal: client }, batchId);
    try {
      await client.workflow.getHandle(batchWorkflowId(batchId)).signal(BATCH_CHANGED_SIGNAL);
    } catch (error) {
      if (!(error instanceof WorkflowNotFoundError)) throw error;
      await store.batches.pause(batchId, ENDED_ELSEWHERE);
    }
  };
  return startSweep(
    PAUSE_MS,
    async () => {
      await Promise.all((await store.batches.takeChanged(AT_ONCE)).map(wake));
    },
    ({ message }) => logger.warn({ error: message }, 'batches could not be signalled; retrying'),
  );
}
