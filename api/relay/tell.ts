import { ActivityCancelledError, ActivityNotFoundError, type AsyncCompletionClient } from '@temporalio/client';
import { toRelayOutput } from '../../contracts/relay-call';
import type { Logger } from '../../runtime/process';
import type { SettledCall } from '../../store/relay-call-rows';
import type { WaitingTask } from '../../store/relay-answers';
import type { Store } from '../../store/store';

const BATCH = 100;

export interface TellDeps {
  store: Pick<Store, 'relay'>;
  tasks: Pick<AsyncCompletionClient, 'complete' | 'heartbeat' | 'reportCancellation'>;
  logger: Logger;
}

/**
 * Completes the activities of calls that are settled, also those whose teller died between keeping the answer and
 * telling it. While Temporal is away they stay untold, and are taken up again.
 */
export async function tellSettled(deps: TellDeps): Promise<void> {
  for (let taken = BATCH; taken === BATCH;) {
    const calls = await deps.store.relay.answers.takeUntold(BATCH);
    await Promise.all(calls.map((call) => tell(deps, call)));
    taken = calls.length;
  }
}

async function tell({ store, tasks, logger }: TellDeps, call: SettledCall & WaitingTask): Promise<void> {
  try {
    await tasks.complete(call.taskToken, toRelayOutput(call.requestId, call));
  } catch (error) {
    // Nobody waits with this token any more; whoever asks next gets the answer from the store.
    if (!(error instanceof ActivityNotFoundError)) {
      logger.warn({ requestId: call.requestId, error: textOf(error) }, 'an answer could not be told yet');
      return;
    }
  }
  await store.relay.answers.told(call);
}

/**
 * Says for the calls that wait that they are not forgotten, and learns by it which nobody wants any more: one of those
 * that was never sent is not sent. One that was sent may have happened, so its answer is still waited for.
 */
export async function beatForWaiting(deps: TellDeps): Promise<void> {
  for (let taken = BATCH; taken === BATCH;) {
    const waiting = await deps.store.relay.answers.takeForBeat(BATCH);
    await Promise.all(waiting.map((task) => beat(deps, task)));
    taken = waiting.length;
  }
}

async function beat({ store, tasks, logger }: TellDeps, { requestId, taskToken }: WaitingTask): Promise<void> {
  try {
    await tasks.heartbeat(taskToken);
  } catch (error) {
    const isCancelled = error instanceof ActivityCancelledError;
    if (!isCancelled && !(error instanceof ActivityNotFoundError)) {
      logger.debug({ requestId, error: textOf(error) }, 'Temporal did not hear of a call that waits');
      return;
    }
    const isWithdrawn = await store.relay.calls.withdraw(requestId);
    if (isCancelled && isWithdrawn) await tasks.reportCancellation(taskToken).catch(() => {});
  }
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
