import { setTimeout as sleep } from 'node:timers/promises';
import { isOutage } from '../activity/failures';

/**
 * Shorter than Temporal's pause between attempts, so that the worker that knows the outcome writes it before the next
 * one asks.
 */
const PAUSE_MS = 200;

/**
 * Writes what only this worker knows, however long the database is away; otherwise it would be unknown for good. A
 * write that is late does no harm: the next attempt takes a new epoch first, and the store refuses the old one.
 */
export async function retryThroughOutage<T>(write: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await write();
    } catch (error) {
      if (!isOutage(error)) throw error;
      await sleep(PAUSE_MS);
    }
  }
}
