import {
  CancellationScope,
  condition,
  defineSignal,
  getExternalWorkflowHandle,
  ParentClosePolicy,
  ChildWorkflowCancellationType,
  proxyActivities,
  setHandler,
  startChild,
  workflowInfo,
} from '@temporalio/workflow';
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import type { BatchActivities, TakenPage } from '../../activities/signatures/batch-activities';
import type { BatchState } from '../../contracts/batches/batch';
import { BATCH_CHANGED_SIGNAL, ENGINE_QUEUE, SESSION_WORKFLOW } from '../../contracts/queues';
import { activityOptions } from '../../contracts/sessions/activity-limits';
import { workflowFacts } from '../../contracts/sessions/workflow-facts';
import { isContinueAsNewDue, nextRun } from '../sessions/continue-as-new';

/** Each adds about six events to the history. */
const SESSIONS_A_RUN = 100;

const { takeRows } = proxyActivities<BatchActivities>({
  ...activityOptions('rows of a batch'),
  taskQueue: ENGINE_QUEUE,
  summary: 'take the next rows',
});

/**
 * Runs a session for each row of a batch, some at once. Rows and what came of them are in the store alone: the database enters
 * the end of a row in the transaction that ends its session, so a run of this workflow knows nothing that the next one needs.
 */
export async function batch({ batchId }: { batchId: string }): Promise<BatchState | null> {
  const run = new BatchRun();
  setHandler(defineSignal(BATCH_CHANGED_SIGNAL), () => run.wake());
  void CancellationScope.current().cancelRequested.catch(() => run.cancel());
  return await CancellationScope.nonCancellable(async () => {
    for (let page = 0; ; page += 1) {
      const taken = await takeRows({ batchId, runId: workflowInfo().runId, page, ...run.news() });
      if (taken === null || taken.state === 'completed' || taken.state === 'cancelled') return taken?.state ?? null;
      await run.apply(taken);
      if (run.started >= SESSIONS_A_RUN || isContinueAsNewDue()) return await nextRun<typeof batch>()({ batchId });
      if (!taken.hasMore) await condition(() => run.isDue);
    }
  });
}

/** What one run of the workflow has done and heard of. */
class BatchRun {
  started = 0;
  isDue = false;
  private isCancelled = false;
  private ended: string[] = [];
  private readonly cancelled = new Set<string>();

  wake(): void {
    this.isDue = true;
  }

  cancel(): void {
    this.isCancelled = true;
    this.wake();
  }

  /** What has happened since the last page. */
  news() {
    const { ended, isCancelled } = this;
    this.ended = [];
    this.isDue = false;
    return { ended, isCancelled };
  }

  async apply({ rows, toCancel }: TakenPage): Promise<void> {
    await Promise.all(rows.map((row) => this.start(row)));
    await Promise.all(toCancel.map((workflowId) => this.cancelRow(workflowId)));
  }

  private async start({ workflowId, start }: TakenPage['rows'][number]): Promise<void> {
    this.started += 1;
    try {
      const child = await startChild(SESSION_WORKFLOW, {
        workflowId,
        ...workflowFacts(start),
        args: [start],
        // It outlives this run, and is cancelled by the id alone.
        parentClosePolicy: ParentClosePolicy.ABANDON,
        cancellationType: ChildWorkflowCancellationType.ABANDON,
        workflowIdReusePolicy: 'ALLOW_DUPLICATE_FAILED_ONLY',
      });
      const end = () => this.end(workflowId);
      void child.result().then(end, end);
    } catch (error) {
      // An earlier run has started it.
      if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    }
  }

  private async cancelRow(workflowId: string): Promise<void> {
    if (this.cancelled.has(workflowId)) return;
    this.cancelled.add(workflowId);
    // One that is gone has ended, or was never started.
    await getExternalWorkflowHandle(workflowId)
      .cancel()
      .catch(() => this.end(workflowId));
  }

  private end(workflowId: string): void {
    this.ended.push(workflowId);
    this.wake();
  }
}
