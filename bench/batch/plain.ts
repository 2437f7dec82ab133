import type { Client } from '@temporalio/client';
import { retryUntil } from '../chaos/retry-until';
import { NAIVE_QUEUE } from '../naive/queue';
import type { BatchList } from './rows';

const ANSWER_WITHIN_MS = 120_000;

/** What a row of the plain batch came to: the text of its page, or why its workflow failed. */
export type PlainResults = Map<string, { receipt: string } | { reason: string }>;

/**
 * The batch as a team builds it on Temporal: a workflow for each invoice, named by it so that a second submission finds the first,
 * and the script as its activity with retries.
 */
export async function submitPlain(
  { workflow }: Client,
  bank: string,
  { invoices }: BatchList,
  { concurrency, limitMs }: { concurrency: number; limitMs: number },
): Promise<PlainResults> {
  const results: PlainResults = new Map();
  const waiting = [...invoices];
  const run = async (invoice: string): Promise<void> => {
    const workflowId = `plain-${invoice}`;
    await retryUntil(`${workflowId} is started`, ANSWER_WITHIN_MS, () =>
      workflow
        .start('payInvoice', {
          workflowId,
          taskQueue: NAIVE_QUEUE,
          args: [bank, invoice],
          workflowIdConflictPolicy: 'USE_EXISTING',
          workflowIdReusePolicy: 'REJECT_DUPLICATE',
        })
        .catch((error: unknown) => {
          if ((error as Error).name === 'WorkflowExecutionAlreadyStartedError') return true;
          throw error;
        }),
    );
    const handle = workflow.getHandle<(bank: string, invoice: string) => Promise<string>>(workflowId);
    await retryUntil(`the end of ${workflowId}`, limitMs, async () => {
      const { status } = await handle.describe();
      return status.name === 'RUNNING' ? undefined : status.name;
    });
    const ended = async () =>
      await handle.result().then(
        (receipt) => ({ receipt }),
        (error: Error) => ({ reason: (error.cause as Error | undefined)?.message ?? error.message }),
      );
    results.set(invoice, await ended());
  };
  const worker = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await run(next);
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  return results;
}
