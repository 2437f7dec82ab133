import { ApiError } from '../http/api-error';
import { sleep } from '../http/sleep';

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 5000;

/**
 * Repeats a request, which has the same effect however often it is sent, until it is answered: for as long as the API is
 * out of reach or says that it may be tried again. Rejects with any other refusal, and once the signal is aborted.
 */
export async function retryOutage<T>(request: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS)) {
    try {
      return await request();
    } catch (error) {
      // `fetch` rejects with a TypeError where there is no answer.
      const isOutage = error instanceof ApiError ? error.retryable : error instanceof TypeError;
      if (!isOutage || signal.aborted) throw error;
      await sleep(waitMs, signal);
    }
  }
}
