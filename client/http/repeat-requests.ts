import { randomKey } from './random-key';
import { sleep } from './sleep';

export const KEY_HEADER = 'idempotency-key';
const RETRIES = 2;
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 5000;
/** An outage of the API, or of what it needs. */
const OUTAGES = new Set([502, 503, 504]);
/** More sessions than may be open, or more requests than a caller may send: nothing was done. */
const TOO_MANY = 429;
const MOST_WAIT_MS = 120_000;
/** Longer than what may be asked for in one answer: the minute of a limit. */
const LONGEST_ASKED_MS = 60_000;

/**
 * Repeats requests. Each POST gets an Idempotency-Key, unless the caller has given one, and is repeated under that key when
 * its answer is lost or names an outage: it is carried out once, however often it is sent. What is refused because there
 * are too many (429) is sent again after the time that the answer names, for two minutes at most.
 */
export function repeatRequests(send: typeof fetch = fetch): typeof fetch {
  return async (input, init) => {
    const isPost = init?.method === 'POST';
    const headers = new Headers(init?.headers);
    if (isPost && !headers.has(KEY_HEADER)) headers.set(KEY_HEADER, randomKey());
    const request = isPost ? { ...init, headers } : init;
    const { signal } = init ?? {};
    let refusedMs = 0;
    for (let retry = 0; ;) {
      const isLast = !isPost || retry === RETRIES;
      const response = await send(input, request).catch((error: unknown) => {
        if (isLast || signal?.aborted === true) throw error;
        return undefined;
      });
      const isRefused = response?.status === TOO_MANY && refusedMs < MOST_WAIT_MS && signal?.aborted !== true;
      if (response !== undefined && !isRefused && (isLast || !OUTAGES.has(response.status))) return response;
      await response?.body?.cancel();
      const asked = Number(response?.headers.get('retry-after') ?? Number.NaN) * 1000;
      const waitMs = Math.min(
        Number.isFinite(asked) ? asked : FIRST_WAIT_MS * 2 ** retry,
        isRefused ? LONGEST_ASKED_MS : LONGEST_WAIT_MS,
      );
      if (isRefused) refusedMs += Math.max(waitMs, FIRST_WAIT_MS);
      else retry += 1;
      await sleep(waitMs, signal ?? undefined);
    }
  };
}
