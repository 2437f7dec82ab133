import { ActivityCancelledError, ActivityNotFoundError, type Client } from '@temporalio/client';
import { toRelayOutput } from '../../contracts/relay/relay-call';
import type { Logger } from '../../runtime/process';
import { startSweep } from '../../runtime/sweep';
import type { SettledCall } from '../../store/relay/relay-call-rows';
import type { WaitingTask } from '../../store/relay/relay-answers';
import type { Store } from '../../store/store';
import { errorMessage } from '../../contracts/errors/error-message';

const BATCH = 100;
const SWEEP_MS = 1000;
/** Deadline of each call to Temporal, so that an outage delays no other completion. */
const DEADLINE_MS = 2000;

export interface CompletionDeps {
  store: Pick<Store, 'relay'>;
  temporal: Pick<Client, 'activity' | 'withDeadline'>;
  logger: Logger;
}

/** Completes the activities of relay calls in Temporal. Sockets and the store do not wait for it. */
export interface CallCompleter {
  /** Completes the calls that are settled now. */
  schedule(): void;
  stop(): Promise<void>;
}

export function startCallCompleter(deps: CompletionDeps): CallCompleter {
  let running: Promise<void> | undefined;
  let isScheduled = false;
  let isStopped = false;

  /** Runs one completion at a time; calls that are settled during it are completed after it. */
  async function completeAll(): Promise<void> {
    while (isScheduled && !isStopped) {
      isScheduled = false;
      await completeSettled(deps);
    }
  }
  const soon = (): void => {
    isScheduled = true;
    running ??= completeAll()
      .catch(({ message }: Error) =>
        deps.logger.debug({ error: message }, 'completing calls failed; the sweep retries'),
      )
      .finally(() => (running = undefined));
  };
  const sweep = startSweep(
    SWEEP_MS,
    async () => {
      soon();
      await heartbeatWaiting(deps);
    },
    ({ message }) => deps.logger.debug({ error: message }, 'the heartbeats of waiting calls failed; they are retried'),
  );
  return {
    schedule: soon,
    async stop() {
      isStopped = true;
      await sweep.stop();
      await running;
    },
  };
}

/**
 * Completes the activities of settled calls, also of those whose API process died after it had stored the result. Calls
 * that are not completed because of an outage of Temporal are taken again.
 */
async function completeSettled(deps: CompletionDeps): Promise<void> {
  for (let taken = BATCH; taken === BATCH;) {
    const calls = await deps.store.relay.answers.takeUnreported(BATCH);
    await Promise.all(calls.map((call) => complete(deps, call)));
    taken = calls.length;
  }
}

function withDeadline<T>({ temporal }: CompletionDeps, call: () => Promise<T>): Promise<T> {
  return temporal.withDeadline(Date.now() + DEADLINE_MS, call);
}

async function complete(deps: CompletionDeps, call: SettledCall & WaitingTask): Promise<void> {
  const { store, temporal, logger } = deps;
  try {
    await withDeadline(deps, () => temporal.activity.complete(call.taskToken, toRelayOutput(call.requestId, call)));
  } catch (error) {
    // The activity has ended; its next attempt gets the result from the store.
    if (!(error instanceof ActivityNotFoundError)) {
      logger.warn({ requestId: call.requestId, error: errorMessage(error) }, 'completing a call failed; it is retried');
      return;
    }
  }
  await store.relay.answers.markReported(call);
}

/**
 * Heartbeats the activities of waiting calls, and withdraws those that were cancelled or have ended before they were sent.
 * A call that was sent may have run, so its result is still waited for.
 */
async function heartbeatWaiting(deps: CompletionDeps): Promise<void> {
  for (let taken = BATCH; taken === BATCH;) {
    const waiting = await deps.store.relay.answers.takeForHeartbeat(BATCH);
    await Promise.all(waiting.map((task) => sendHeartbeat(deps, task)));
    taken = waiting.length;
  }
}

async function sendHeartbeat(deps: CompletionDeps, { requestId, taskToken }: WaitingTask): Promise<void> {
  const { store, temporal, logger } = deps;
  try {
    await withDeadline(deps, () => temporal.activity.heartbeat(taskToken));
  } catch (error) {
    const isCancelled = error instanceof ActivityCancelledError;
    if (!isCancelled && !(error instanceof ActivityNotFoundError)) {
      logger.debug({ requestId, error: errorMessage(error) }, 'the heartbeat of a waiting call failed');
      return;
    }
    const isWithdrawn = await store.relay.calls.withdraw(requestId);
    if (isCancelled && isWithdrawn) {
      await withDeadline(deps, () => temporal.activity.reportCancellation(taskToken)).catch(() => {});
    }
  }
}
