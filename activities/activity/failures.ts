import { randomUUID } from 'node:crypto';
import { ApplicationFailure, CancelledFailure } from '@temporalio/activity';
import { ApplicationFailureCategory } from '@temporalio/common';
import type { ErrorCode } from '../../contracts/errors/error-codes';
import {
  SESSION_SUPERSEDED,
  STORE_BEHIND,
  standardError,
  type StandardError,
} from '../../contracts/errors/standard-error';
import { outageReason } from '../../store/database/outage';
import { StoreRefusal } from '../../store/database/refusals';
import { WitnessNotSaved } from '../../store/journal/intent-witness';
import { errorMessage } from '../../contracts/errors/error-message';

/** An error of our own activity code: a code of S1.38 and a sentence that says what to do. */
export class EngineError extends Error {
  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly more: {
      details?: Record<string, unknown>;
      suggestedAction?: string;
      type?: string;
      cause?: unknown;
      /** A later attempt, or one on another worker, succeeds: it has the tries of activity-limits.ts, and at a browser those of `onHost`. */
      isTemporary?: boolean;
      /** The next attempt may succeed, and would not for ever: tried as often as what is unexpected. */
      isWorthAnotherTry?: boolean;
      /** A service that it needs can't be reached now; it is waited for, as the database is. */
      isOutage?: boolean;
      /** True when a retry is useless, whatever the definition of the code says. */
      isFinal?: boolean;
    } = {},
  ) {
    super(message, { cause: more.cause });
    this.name = 'EngineError';
  }
}

/** Where an error happened; filled in where it is known (S1.R22). */
export interface ErrorContext {
  sessionId?: string | undefined;
  stepIndex?: number | undefined;
  commandId?: string | undefined;
  moduleId?: string | undefined;
}

/** Converts any error to the record of S1.36, with its origin in `cause`. */
export function toStandardError(error: unknown, fallback: ErrorCode, context: ErrorContext = {}): StandardError {
  const base = { id: randomUUID(), timestamp: new Date(), ...context };
  if (error instanceof EngineError) {
    const { details, suggestedAction, cause, isFinal } = error.more;
    const record = standardError({
      ...base,
      code: error.code,
      message: error.message,
      details,
      suggestedAction,
      cause: cause === undefined ? undefined : toStandardError(cause, error.code),
    });
    return isFinal === true ? { ...record, retryable: false } : record;
  }
  const cause = error instanceof Error ? error.cause : undefined;
  return standardError({
    ...base,
    code: fallback,
    message: errorMessage(error),
    cause: cause === undefined ? undefined : toStandardError(cause, fallback),
  });
}

/**
 * The browser is held under a newer lease, so this attempt is stale. Temporal ignores results of stale attempts; an attempt
 * that it still waits for is retried and takes a newer lease.
 */
export const STALE_LEASE = 'StaleLease';

/** The worker process shuts down: nothing is wrong with the work, and another attempt gets another worker. */
export function workerEnding(): ApplicationFailure {
  return ApplicationFailure.create({
    message: 'This worker is ending; another one takes the task over.',
    type: 'WorkerEnding',
    nonRetryable: false,
  });
}

/**
 * Commands that were not all done: their activity reads red in Temporal, with the code of the first that was not. The output
 * is the second of its details: nothing is tried again.
 */
export function commandsFailed<Output>({ code, message }: { code: ErrorCode; message: string }, output: Output): Error {
  const record = standardError({ id: randomUUID(), timestamp: new Date(), code, message });
  return ApplicationFailure.create({ message, type: code, nonRetryable: true, details: [record, { output }] });
}

/** An activity that has frozen processes before: it is not run another time, and its session fails. */
export function quarantined(
  { name, sessionId, times, stack }: { name: string; sessionId: string; times: number; stack: string },
  attempt: number,
): Error {
  const [top] = stack.split('\n');
  const at = top === undefined || top === '' ? '' : ` It was last ${top.trim()}.`;
  const message = `The activity ${name} of this session has frozen its worker ${times} times, so it is not run again.${at}`;
  const suggestedAction =
    'Look at “the event loop is stalled” in the logs of the workers: change what this step reads, its schema or its text, then start the session again. Where the stack names Surefoot alone, report it.';
  const details = { kind: 'quarantined', activity: name };
  return toFailure(new EngineError('SP002', message, { details, suggestedAction, isFinal: true }), 'SP002', attempt, {
    sessionId,
  });
}

/** A race may pass on another attempt; an error that comes back so often is a bug. */
const MAX_TRIES_OF_THE_UNEXPECTED = 3;

/** True when the database (or the keeper) can't be reached: worth waiting for, without limit. */
export function isOutage(error: unknown): boolean {
  return reasonOfOutage(error) !== undefined;
}

function reasonOfOutage(error: unknown): string | undefined {
  if (error instanceof WitnessNotSaved) return error.message;
  if (error instanceof EngineError && error.more.isOutage === true) return error.message;
  return outageReason(error) ?? outageReason((error as { cause?: unknown } | null)?.cause);
}

/**
 * The one place that makes ApplicationFailure. Contract: what the outside world refused is non-retryable here and
 * carries its StandardError, so that the workflow counts the tries; an outage of our own database is retried by
 * Temporal without limit; the unexpected is tried three times.
 */
export function toFailure(error: unknown, fallback: ErrorCode, attempt: number, context: ErrorContext = {}): Error {
  if (error instanceof ApplicationFailure || error instanceof CancelledFailure) return error;
  if (error instanceof StoreRefusal) {
    const reasons: Record<StoreRefusal['reason'], string> = {
      'unknown-session': 'The store has no such session (any more).',
      closed: 'The session has ended already.',
      superseded: 'Another Temporal run owns this session: it was handed over to its next run, or reset in Temporal.',
      'stale-epoch': 'Another worker has taken the browser over.',
      'stale-attempt': 'A newer attempt has had the browser.',
      paused: 'The session is paused.',
      behind: error.message,
      'key-held': error.message,
      'illegal-status': error.message,
    };
    const codes: Partial<Record<StoreRefusal['reason'], ErrorCode>> = { 'illegal-status': 'SP001', behind: 'CM002' };
    const code = codes[error.reason] ?? 'SP002';
    const record = toStandardError(new EngineError(code, reasons[error.reason], { cause: error }), code, context);
    const types: Partial<Record<StoreRefusal['reason'], string>> = {
      'stale-epoch': STALE_LEASE,
      'stale-attempt': STALE_LEASE,
      'illegal-status': code,
      // The workflow has it written again.
      behind: STORE_BEHIND,
      'unknown-session': STORE_BEHIND,
    };
    const type = types[error.reason] ?? SESSION_SUPERSEDED;
    return ApplicationFailure.create({
      message: record.message,
      type,
      nonRetryable: type !== STALE_LEASE,
      details: [{ ...record, retryable: false }],
      cause: error,
    });
  }
  const outage = reasonOfOutage(error);
  if (outage !== undefined) {
    const reason = error instanceof Error ? error.message || outage : outage;
    const isExplained = error instanceof EngineError || error instanceof WitnessNotSaved;
    const message = isExplained ? reason : `The database can't be used (${reason}); waiting for it.`;
    return ApplicationFailure.create({ message, type: 'CM002', nonRetryable: false, cause: error as Error });
  }
  const isKnown = error instanceof EngineError;
  // The code of a known error says who raised it; the activity only passes it on.
  const record = toStandardError(error, fallback, isKnown ? { ...context, moduleId: undefined } : context);
  return ApplicationFailure.create({
    message: record.message,
    type: (isKnown ? error.more.type : undefined) ?? record.code,
    nonRetryable: isLastTry(error, attempt),
    details: [isKnown ? record : { ...record, retryable: false }],
    ...(error instanceof Error ? { cause: error } : {}),
  });
}

function isLastTry(error: unknown, attempt: number): boolean {
  if (!(error instanceof EngineError) || error.more.isWorthAnotherTry === true)
    return attempt >= MAX_TRIES_OF_THE_UNEXPECTED;
  return error.more.isTemporary !== true;
}

/** What was looked for is not there yet: Temporal looks again after this time, and its log has no warning. */
export function lookedInVain(message: string, delayMs: number): ApplicationFailure {
  return ApplicationFailure.create({
    message,
    type: 'NotThereYet',
    nonRetryable: false,
    nextRetryDelay: delayMs,
    category: ApplicationFailureCategory.BENIGN,
  });
}

/** The same failure, which Temporal tries again after this time. */
export function triedAgain({ message, type, details, cause }: ApplicationFailure, delayMs: number): ApplicationFailure {
  return ApplicationFailure.create({
    message,
    ...(type == null ? {} : { type }),
    nonRetryable: false,
    details: details ?? [],
    ...(cause === undefined ? {} : { cause }),
    nextRetryDelay: delayMs,
  });
}
