import { ActivityFailure, ApplicationFailure, TimeoutFailure, uuid4 } from '@temporalio/workflow';
import { RetryState, TimeoutType } from '@temporalio/common';
import type { ErrorCode } from '../../contracts/errors/error-codes';
import {
  BROWSER_GONE,
  SESSION_SUPERSEDED,
  standardError,
  type StandardError,
} from '../../contracts/errors/standard-error';
import { errorMessage } from '../../contracts/errors/error-message';

/** The error record in the details of an activity's failure. */
export function errorRecordOf(error: unknown): StandardError | undefined {
  return applicationFailureOf(error)?.details?.[0] as StandardError | undefined;
}

/** The error record of a failure; a failure without one (a bug) becomes one with the code `fallback`. */
export function errorOf(error: unknown, fallback: ErrorCode): StandardError {
  const failure = applicationFailureOf(error);
  const record = errorRecordOf(error);
  if (record?.code !== undefined) return record;
  const message = failure?.message ?? errorMessage(error);
  return standardError({ id: uuid4(), timestamp: new Date(), code: fallback, message });
}

export function applicationFailureOf(error: unknown): ApplicationFailure | undefined {
  if (error instanceof ApplicationFailure) return error;
  return error instanceof ActivityFailure && error.cause instanceof ApplicationFailure ? error.cause : undefined;
}

/** What an activity has done whose failure is that of a command: its result is in the details. */
export function outputOf<Output>(error: unknown): Output | undefined {
  const [, more] = applicationFailureOf(error)?.details ?? [];
  return (more as { output?: Output } | undefined)?.output;
}

/** The attached worker is gone: it died in the middle, or did not pick its task up. */
export function isWorkerGone(error: unknown): boolean {
  return error instanceof ActivityFailure && error.cause instanceof TimeoutFailure;
}

/** A failure that a retry may cure (our database was away): commands are sent again by `onHost`. */
export function isTransient(error: unknown): boolean {
  return applicationFailureOf(error)?.nonRetryable === false;
}

/** The host of a lease does not answer, and its keeper sends no heartbeats. */
export class HostGone extends Error {}

/** No worker of the host takes tasks, or its Chrome is gone: the lease is of no use any more. */
export function isLeaseLost(error: unknown): boolean {
  if (error instanceof HostGone) return true;
  return applicationFailureOf(error)?.type === BROWSER_GONE || isNotPickedUp(error);
}

/** Temporal made no other attempt, since the time for all of them was over. */
export function isOutOfTime(error: unknown): boolean {
  return error instanceof ActivityFailure && error.retryState === RetryState.TIMEOUT;
}

/** No worker took the task in the time it had. */
export function isNotPickedUp(error: unknown): boolean {
  return (
    error instanceof ActivityFailure &&
    error.cause instanceof TimeoutFailure &&
    error.cause.timeoutType === TimeoutType.SCHEDULE_TO_START
  );
}

/** Another run owns the session: this one came out of a reset. */
export function isSuperseded(error: unknown): boolean {
  return applicationFailureOf(error)?.type === SESSION_SUPERSEDED;
}
