import { setTimeout as sleep } from 'node:timers/promises';
import { isOutage } from '../../failures';

/** Shorter than Temporal's pause between attempts, so that who knows what happened is heard before who must ask. */
const PAUSE_MS = 200;

/**
 * Writes what only this worker knows, however long the database is away: given up, it would be unknown for good. Safe
 * to go on with behind a later attempt's back, which takes a new epoch first; the store refuses the old one then.
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
