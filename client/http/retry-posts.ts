import { randomKey } from './random-key';
import { sleep } from './sleep';

export const KEY_HEADER = 'idempotency-key';
const RETRIES = 2;
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 5000;
/** An outage of the API, or of what it needs. */
const OUTAGES = new Set([502, 503, 504]);

/**
 * Gives each POST an Idempotency-Key, unless the caller has given one, and repeats it under that key when its answer is
 * lost or names an outage: it is carried out once, however often it is sent.
 */
export function retryPosts(send: typeof fetch = fetch): typeof fetch {
  return async (input, init) => {
    if (init?.method !== 'POST') return await send(input, init);
    const headers = new Headers(init.headers);
    if (!headers.has(KEY_HEADER)) headers.set(KEY_HEADER, randomKey());
    for (let retry = 0; ; retry += 1) {
      const isLast = retry === RETRIES;
      const response = await send(input, { ...init, headers }).catch((error: unknown) => {
        if (isLast || init.signal?.aborted === true) throw error;
        return undefined;
      });
      if (response !== undefined && (isLast || !OUTAGES.has(response.status))) return response;
      await response?.body?.cancel();
      const asked = Number(response?.headers.get('retry-after') ?? Number.NaN) * 1000;
      await sleep(Math.min(Number.isFinite(asked) ? asked : FIRST_WAIT_MS * 2 ** retry, LONGEST_WAIT_MS));
    }
  };
}
