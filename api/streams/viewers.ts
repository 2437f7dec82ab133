import { ERRORS } from '../../contracts/errors/error-codes';
import type { ConnectionLimit } from '../http/connection-limit';
import { clientAddress, type ApiContext, type StreamLimits } from '../http/context';
import { HttpError, RETRY_AFTER } from '../http/error-response';

/** Takes a place for what waits for something to happen. Throws ES001 at a limit where no other makes way. */
export function enterViewer(
  c: ApiContext,
  viewers: ConnectionLimit,
  { maxViewers, maxViewersPerAddress }: StreamLimits,
) {
  const end = new AbortController();
  const place = viewers.enter(clientAddress(c), () => end.abort());
  if (place !== undefined) return { place, ended: end.signal };
  throw notOpened(
    `As many streams and waiting pages are open as may be (${maxViewersPerAddress} of one address, ${maxViewers} of all), and each got an event just now. Retry later.`,
  );
}

export function notOpened(message: string, cause?: unknown): HttpError {
  const { retryable } = ERRORS.ES001;
  return new HttpError({ status: 503, code: 'ES001', message, retryable, headers: RETRY_AFTER }, cause);
}
