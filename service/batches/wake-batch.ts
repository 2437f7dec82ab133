import type { Client } from '@temporalio/client';
import { batchWorkflowId } from '../../contracts/batches/batch';
import { BATCH_CHANGED_SIGNAL, BATCH_WORKFLOW, ENGINE_QUEUE } from '../../contracts/queues';
import type { Store } from '../../store/store';
import { SERVICE_DEADLINES } from '../connection/deadlines';

/** Signals the workflow of a batch, and starts it where none runs. */
export async function wakeBatch(
  { store, temporal }: { store: Pick<Store, 'batches'>; temporal: Client },
  batchId: string,
): Promise<void> {
  const batch = await store.batches.get(batchId);
  if (batch === null) return;
  const { name = 'Batch', total } = batch;
  await temporal.withDeadline(Date.now() + SERVICE_DEADLINES.start, () =>
    temporal.workflow.signalWithStart(BATCH_WORKFLOW, {
      workflowId: batchWorkflowId(batchId),
      taskQueue: ENGINE_QUEUE,
      args: [{ batchId }],
      signal: BATCH_CHANGED_SIGNAL,
      workflowIdReusePolicy: 'ALLOW_DUPLICATE',
      staticSummary: `${name}: ${total} rows`,
    }),
  );
}
