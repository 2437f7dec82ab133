import { ActivityFailure, ApplicationFailure, TimeoutFailure, sleep, uuid4 } from '@temporalio/workflow';
import { TimeoutType } from '@temporalio/common';
import type { ErrorCode } from '../../contracts/errors/error-codes';
import { BROWSER_GONE, SESSION_SUPERSEDED, standardError, type StandardError } from '../../contracts/errors/standard-error';
import { MAX_RETRY_DELAY_MS, type TimeoutConfig } from '../../contracts/sessions/timeouts';

/** The error record that an activity failed with; a failure that carries none (a bug) becomes one of `fallback`. */
export function errorOf(error: unknown, fallback: ErrorCode): StandardError {
  const failure = applicationFailureOf(error);
  const carried = failure?.details?.[0] as StandardError | undefined;
  if (carried?.code !== undefined) return carried;
  const message = failure?.message ?? (error instanceof Error ? error.message : String(error));
  return standardError({ id: uuid4(), timestamp: new Date(), code: fallback, message });
}

export function applicationFailureOf(error: unknown): ApplicationFailure | undefined {
  if (error instanceof ApplicationFailure) return error;
  return error instanceof ActivityFailure && error.cause instanceof ApplicationFailure ? error.cause : undefined;
}

/** The attached worker is gone (died in the middle, or did not pick its task up). */
export function isWorkerGone(error: unknown): boolean {
  return error instanceof ActivityFailure && error.cause instanceof TimeoutFailure;
}

/** A failure that a retry may cure (our database was away): the host's queue retries it without limit. */
export function isTransient(error: unknown): boolean {
  return applicationFailureOf(error)?.nonRetryable === false;
}

/** The host of a lease does not answer and is silent: whoever waits for it waits in vain. */
export class HostGone extends Error {}

/** No worker of the host takes tasks, or its Chrome is gone: the lease is worth nothing any more. */
export function isLeaseLost(error: unknown): boolean {
  if (error instanceof HostGone) return true;
  return applicationFailureOf(error)?.type === BROWSER_GONE || isNotPickedUp(error);
}

/** No worker took the task in the time it had. */
export function isNotPickedUp(error: unknown): boolean {
  return (
    error instanceof ActivityFailure &&
    error.cause instanceof TimeoutFailure &&
    error.cause.timeoutType === TimeoutType.SCHEDULE_TO_START
  );
}

/** The session belongs to another run: this one came out of a reset. */
export function isSuperseded(error: unknown): boolean {
  return applicationFailureOf(error)?.type === SESSION_SUPERSEDED;
}

/** Delay before retry n = 1, 2, ... in milliseconds (S1.A13). */
export function retryDelayMs({ retryDelayMs: base, exponentialBackoff }: TimeoutConfig, retry: number): number {
  return Math.min(exponentialBackoff ? base * 2 ** (retry - 1) : base, MAX_RETRY_DELAY_MS);
}

/** Tries `work` once and then up to `maxRetryAttempts` times more (S1.A14) while what it fails with is worth a retry. */
export async function withRetries<T>(timeouts: TimeoutConfig, work: () => Promise<T>): Promise<T> {
  for (let retry = 1; ; retry += 1) {
    try {
      return await work();
    } catch (error) {
      const carried = applicationFailureOf(error)?.details?.[0] as StandardError | undefined;
      // A provider may say how long to wait; a failure may be worth fewer retries than are configured.
      const { retryAfterMs = 0, maxRetries = Infinity } = carried?.details ?? {};
      if (carried?.retryable !== true || retry > Math.min(timeouts.maxRetryAttempts, maxRetries)) throw error;
      const delayMs = Math.max(retryDelayMs(timeouts, retry), retryAfterMs);
      await sleep(delayMs, { summary: `wait before retry ${retry}: ${carried.message}`.slice(0, 200) });
    }
  }
}
