import { ClientError } from '../port/port';
import { invalid } from './invalid';

const MAX_KEY_LENGTH = 255;

export function parseIdempotencyKey(key: string): string {
  if (key.length > 0 && key.length <= MAX_KEY_LENGTH) return key;
  const message = `expected 1 to ${MAX_KEY_LENGTH} characters, got ${key.length}`;
  throw invalid('The Idempotency-Key is not usable', [{ path: 'Idempotency-Key', message }]);
}

/** The key of a request stands for another request: `what` it has made. */
export function keyReused(what: string): ClientError {
  const message = `This Idempotency-Key has made ${what} with another request. Send the same request, or another key.`;
  return new ClientError('key-reused', 'SP001', message);
}
