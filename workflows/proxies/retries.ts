import { sleep } from '@temporalio/workflow';
import { MAX_RETRY_DELAY_MS, type TimeoutConfig } from '../../contracts/sessions/timeouts';
import { errorRecordOf, isOutOfTime } from './failures';

/** Delay before retry n = 1, 2, ... in milliseconds (S1.A13). */
export function retryDelayMs({ retryDelayMs: base, exponentialBackoff }: TimeoutConfig, retry: number): number {
  return Math.min(exponentialBackoff ? base * 2 ** (retry - 1) : base, MAX_RETRY_DELAY_MS);
}

/** Runs `work` once, and up to `maxRetryAttempts` times more (S1.A14) while its failure is retryable. */
export async function withRetries<T>(timeouts: TimeoutConfig, work: () => Promise<T>): Promise<T> {
  for (let retry = 1; ;) {
    try {
      return await work();
    } catch (error) {
      // The step's own timer has not ended it, so its clock stood still meanwhile, and it has time left.
      if (isOutOfTime(error)) continue;
      const record = errorRecordOf(error);
      // A provider may say how long to wait; a failure may be worth fewer retries than are configured.
      const { retryAfterMs = 0, maxRetries = Infinity } = record?.details ?? {};
      if (record?.retryable !== true || retry > Math.min(timeouts.maxRetryAttempts, maxRetries)) throw error;
      const delayMs = Math.max(retryDelayMs(timeouts, retry), retryAfterMs);
      await sleep(delayMs, { summary: `wait before retry ${retry}: ${record.message}`.slice(0, 200) });
      retry += 1;
    }
  }
}
