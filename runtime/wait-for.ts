import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from './process';
import { errorMessage } from '../contracts/errors/error-message';

const PAUSE_MS = 500;

/**
 * Opens a service, and retries for as long as it is unreachable: a process that ended instead would be restarted again and
 * again. Logs once what it waits for. Any other error is thrown.
 */
export async function waitFor<T>(
  what: string,
  open: () => Promise<T>,
  isUnreachable: (error: unknown) => boolean,
  logger: Logger,
): Promise<T> {
  for (let isLogged = false; ; isLogged = true) {
    try {
      return await open();
    } catch (error) {
      if (!isUnreachable(error)) throw error;
      if (!isLogged) logger.warn({ error: errorMessage(error) }, `waiting for ${what}`);
      await sleep(PAUSE_MS);
    }
  }
}
