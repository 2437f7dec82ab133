import { sleep } from '@temporalio/workflow';
import { retryDelayMs, type TimeoutConfig } from '../../contracts/sessions/timeouts';
import { errorRecordOf, isOutOfTime } from './failures';

/**
 * Runs `work` again where Temporal made no other attempt, since the time for all of them was over: the step's own timer has
 * not ended it, so its clock stood still meanwhile, and it has time left.
 */
export async function withinTimeOfStep<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isOutOfTime(error)) throw error;
    }
  }
}

/**
 * Runs `work` once, and up to `maxRetryAttempts` times more (S1.A14) while its failure is retryable: for what another host
 * may do better. What the same worker may repeat is retried by Temporal (activities/activity/next-attempt.ts).
 */
export async function withRetries<T>(timeouts: TimeoutConfig, work: () => Promise<T>): Promise<T> {
  for (let retry = 1; ;) {
    try {
      return await work();
    } catch (error) {
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
