import { ApplicationFailure, TemporalFailure } from '@temporalio/workflow';
import type { StandardError } from '../../contracts/errors/standard-error';

/**
 * Reads why a session has failed from what `executeSession`, or the operation of the Nexus service, was rejected with: the
 * error with its code (docs/reference/errors.md) and what to do. Undefined for any other error, a cancellation among them.
 */
export function sessionErrorOf(error: unknown): StandardError | undefined {
  for (let failure = error; failure instanceof TemporalFailure; failure = failure.cause) {
    if (!(failure instanceof ApplicationFailure)) continue;
    const [details] = failure.details ?? [];
    const { code, message } = (details ?? {}) as Partial<StandardError>;
    if (typeof code === 'string' && typeof message === 'string') return details as StandardError;
  }
  return undefined;
}
