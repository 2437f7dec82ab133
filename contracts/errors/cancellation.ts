import type { StandardError } from './standard-error';

/** S1 has no code for a cancellation: `details.isCancelled` is its sign, in every error that is one. */
export function toCancellation(error: StandardError): StandardError {
  return { ...error, retryable: false, details: { ...error.details, isCancelled: true } };
}

export function isCancellation(error: Pick<StandardError, 'details'> | undefined): boolean {
  return error?.details?.['isCancelled'] === true;
}
