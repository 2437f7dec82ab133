import { ActivityCancelledError, ActivityNotFoundError, type Client } from '@temporalio/client';
import { toRelayOutput } from '../../contracts/relay/relay-call';
import type { Logger } from '../../runtime/process';
import { startSweep } from '../../runtime/sweep';
import type { SettledCall } from '../../store/relay/relay-call-rows';
import type { WaitingTask } from '../../store/relay/relay-answers';
import type { Store } from '../../store/store';

const BATCH = 100;
const SWEEP_MS = 1000;
/** A server that is away must not hold up what others wait to be told. */
const DEADLINE_MS = 2000;

export interface CompletionDeps {
  store: Pick<Store, 'relay'>;
  temporal: Pick<Client, 'activity' | 'withDeadline'>;
  logger: Logger;
}

/** Tells Temporal, apart from everything else of the relay: sockets and the store go on while it is away. */
export interface CallCompleter {
  /** Something was settled. */
  schedule(): void;
  stop(): Promise<void>;
}

export function startCallCompleter(deps: CompletionDeps): CallCompleter {
  let running: Promise<void> | undefined;
  let isScheduled = false;
  let isStopped = false;

  /** One at a time; what is settled meanwhile is told after it. */
  async function completeAll(): Promise<void> {
    while (isScheduled && !isStopped) {
      isScheduled = false;
      await completeSettled(deps);
    }
  }
  const soon = (): void => {
    isScheduled = true;
    running ??= completeAll()
      .catch(({ message }: Error) => deps.logger.debug({ error: message }, 'answers could not be told; the sweep will'))
      .finally(() => (running = undefined));
  };
  const sweep = startSweep(
    SWEEP_MS,
    async () => {
      soon();
      await heartbeatWaiting(deps);
    },
    ({ message }) => deps.logger.debug({ error: message }, 'calls that wait could not be told of; it is tried again'),
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
 * Completes the activities of calls that are settled, also those whose teller died between keeping the answer and
 * telling it. While Temporal is away they stay untold, and are taken up again.
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
    // Nobody waits with this token any more; whoever asks next gets the answer from the store.
    if (!(error instanceof ActivityNotFoundError)) {
      logger.warn({ requestId: call.requestId, error: errorMessage(error) }, 'an answer could not be told yet');
      return;
    }
  }
  await store.relay.answers.markReported(call);
}

/**
 * Says for the calls that wait that they are not forgotten, and learns by it which nobody wants any more: one of those
 * that was never sent is not sent. One that was sent may have happened, so its answer is still waited for.
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
      logger.debug({ requestId, error: errorMessage(error) }, 'Temporal did not hear of a call that waits');
      return;
    }
    const isWithdrawn = await store.relay.calls.withdraw(requestId);
    if (isCancelled && isWithdrawn) {
      await withDeadline(deps, () => temporal.activity.reportCancellation(taskToken)).catch(() => {});
    }
  }
}

function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
