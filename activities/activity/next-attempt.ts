import { ApplicationFailure } from '@temporalio/activity';
import type { StandardError } from '../../contracts/errors/standard-error';
import { retryDelayMs, type RetrySettings } from '../../contracts/sessions/timeouts';
import { triedAgain } from './failures';

/** Goes from attempt to attempt in the heartbeats: a worker's death and an outage are attempts too, and no refusal. */
export interface Refusals {
  refusals: number;
}

/** How often the outside world has refused the attempts before this one. */
export function refusalsOf(heartbeatDetails: unknown): number {
  return (heartbeatDetails as Partial<Refusals> | undefined)?.refusals ?? 0;
}

/**
 * Turns a failure that Temporal would take as final into one that it tries again after a delay, where its record is
 * retryable and the session has retries left (S1.A13, S1.A14); the delay is longer where a provider asks for that. Undefined
 * for any other failure.
 */
export function nextAttempt(failure: Error, retries: RetrySettings, refusals: number): Error | undefined {
  if (!(failure instanceof ApplicationFailure) || failure.nonRetryable !== true) return undefined;
  const record = failure.details?.[0] as StandardError | undefined;
  const { retryAfterMs = 0, maxRetries = Infinity } = (record?.details ?? {}) as Record<string, number | undefined>;
  if (record?.retryable !== true || refusals >= Math.min(retries.maxRetryAttempts, maxRetries)) return undefined;
  return triedAgain(failure, Math.max(retryDelayMs(retries, refusals + 1), retryAfterMs));
}
