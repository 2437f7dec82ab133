import { WorkflowExecutionAlreadyStartedError, type Client } from '@temporalio/client';
import { ENGINE_QUEUE } from '../contracts/queues';
import { WEBHOOK_WORKFLOW, webhookWorkflowId } from '../contracts/sessions/webhook';
import type { Logger } from '../runtime/process';
import { startSweep, type Sweep } from '../runtime/sweep';
import type { Store } from '../store/store';

const PAUSE_MS = 1000;
const BATCH = 50;

/** Starts a workflow for each delivery that the database has entered. Its id lets it start once, whoever starts it. */
export function startWebhookSweep(deps: { store: Store; client: Client; logger: Logger }): Sweep {
  const { store, client, logger } = deps;
  const start = async (deliveryId: string): Promise<void> => {
    try {
      await client.workflow.start(WEBHOOK_WORKFLOW, {
        workflowId: webhookWorkflowId(deliveryId),
        taskQueue: ENGINE_QUEUE,
        args: [{ deliveryId }],
        workflowIdReusePolicy: 'REJECT_DUPLICATE',
      });
    } catch (error) {
      // Another worker has started it, or has died before it noted so.
      if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    }
    await store.webhooks.noteStart(deliveryId);
  };
  return startSweep(
    PAUSE_MS,
    async () => {
      await Promise.all((await store.webhooks.toStart(BATCH)).map(start));
    },
    ({ message }) => logger.warn({ error: message }, 'deliveries to webhooks could not be started; retrying'),
  );
}
