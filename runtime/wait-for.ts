import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from './process';

const PAUSE_MS = 500;

/**
 * Opens what a process can't work without, however long it is away: a process that ended instead would be started
 * again and again, and be no sooner ready. Says once what it waits for; what is wrong for good still ends it.
 */
export async function waitFor<T>(
  what: string,
  open: () => Promise<T>,
  isAway: (error: unknown) => boolean,
  logger: Logger,
): Promise<T> {
  for (let isTold = false; ; isTold = true) {
    try {
      return await open();
    } catch (error) {
      if (!isAway(error)) throw error;
      if (!isTold)
        logger.warn({ error: error instanceof Error ? error.message : String(error) }, `waiting for ${what}`);
      await sleep(PAUSE_MS);
    }
  }
}
