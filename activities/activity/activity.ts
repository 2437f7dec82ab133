import {
  activityInfo,
  cancellationDetails,
  cancellationSignal,
  CompleteAsyncError,
  heartbeat,
} from '@temporalio/activity';
import type { ErrorCode } from '../../contracts/errors/error-codes';
import type { RetrySettings } from '../../contracts/sessions/timeouts';
import { nextAttempt, refusalsOf, type Refusals } from './next-attempt';
import { toFailure, workerEnding, type ErrorContext } from './failures';

/** What every activity of ours gets beside its input. */
export interface ActivityCall {
  /** The Temporal run that called: the store refuses it when another run has taken the session over. */
  runId: string;
  workflowId: string;
  activityId: string;
  attempt: number;
  /** When Temporal scheduled this attempt, in ms by its own clock. */
  scheduledAt: number;
  /** Aborts when the activity is asked to stop: a pause, a cancellation, or the worker's shutdown. */
  signal: AbortSignal;
  /** True when it is asked to stop because its worker shuts down: another attempt continues. */
  isWorkerEnding?: () => boolean;
}

/**
 * Makes an activity of a function: heartbeats from the first moment (a cancellation only arrives with one), and turns
 * whatever it throws into a failure that says whether to retry.
 */
export function activity<I extends { sessionId?: string; stepIndex?: number; retries?: RetrySettings | undefined }, O>(
  fallback: ErrorCode,
  moduleId: string,
  work: (input: I, call: ActivityCall) => Promise<O>,
): (input: I) => Promise<O> {
  return async (input) => {
    const info = activityInfo();
    const refusals = refusalsOf(info.heartbeatDetails);
    const stop = startHeartbeats(info.heartbeatTimeoutMs, { refusals });
    const { runId, workflowId } = info.workflowExecution!;
    const context: ErrorContext = { sessionId: input.sessionId, stepIndex: input.stepIndex, moduleId };
    try {
      const { activityId, attempt } = info;
      const isWorkerEnding = (): boolean => cancellationDetails()?.workerShutdown === true;
      return await work(input, {
        runId,
        workflowId,
        activityId,
        attempt,
        scheduledAt: info.currentAttemptScheduledTimestampMs,
        signal: cancellationSignal(),
        isWorkerEnding,
      });
    } catch (error) {
      // Another process completes this activity: it has not failed.
      if (error instanceof CompleteAsyncError) throw error;
      // A shutdown of the worker stopped it: the error it ended with says nothing about the work.
      if (cancellationDetails()?.workerShutdown === true) throw workerEnding();
      const failure = toFailure(error, fallback, info.attempt, context);
      const next = input.retries && nextAttempt(failure, input.retries, refusals);
      if (next === undefined) throw failure;
      heartbeat({ refusals: refusals + 1 } satisfies Refusals);
      throw next;
    } finally {
      stop();
    }
  };
}

/** Temporal delivers a cancellation with a heartbeat, so this bounds how late one arrives. */
const LONGEST_BEAT_MS = 500;

/** Sends three heartbeats within one timeout, so that a single late one does no harm; none without a timeout. */
function startHeartbeats(timeoutMs: number | undefined, details: Refusals): () => void {
  if (timeoutMs === undefined || timeoutMs <= 0) return () => {};
  heartbeat(details);
  const timer = setInterval(() => heartbeat(details), Math.min(timeoutMs / 3, LONGEST_BEAT_MS));
  return () => clearInterval(timer);
}
