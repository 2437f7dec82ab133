import { setTimeout as delay } from 'node:timers/promises';

const TRIES = 5;
const BETWEEN_MS = 40;

/**
 * Asks a page, and asks the one that came instead when a navigation took the first away in the middle: what is told of
 * a command is told beside the next command, which may be the click that leads on. Rejects as the last try did.
 */
export async function retryThroughNavigation<T>(limitMs: number, ask: () => Promise<T>): Promise<T> {
  const until = performance.now() + limitMs;
  for (let tried = 1; ; tried += 1) {
    try {
      return await ask();
    } catch (error) {
      if (tried === TRIES || performance.now() > until) throw error;
    }
    await delay(BETWEEN_MS * tried);
  }
}
