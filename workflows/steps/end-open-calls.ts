import { CancellationScope } from '@temporalio/workflow';
import { planActivities } from '../proxies/task-proxies';
import type { SessionRun } from '../sessions/session-run';

/**
 * Records the end of what a step has begun and what was stopped before it came back, at once, so that no reader of the log
 * waits for it. What has ended keeps its own end.
 */
export async function endOpenCommands({ session, browser, task }: SessionRun, why: string): Promise<void> {
  const { executing: callIds } = task.calls;
  if (browser.lease === undefined && callIds.length === 0) return;
  const message = `Error: ${why} This had begun and was stopped: whether it took effect is unknown.`;
  const { index: stepIndex } = session.steps;
  await CancellationScope.nonCancellable(() =>
    session.outbox.flushWith((outbox) =>
      planActivities('end what was stopped').endOpenCalls({
        sessionId: session.id,
        stepIndex,
        callIds,
        message,
        outbox,
      }),
    ),
  );
}
