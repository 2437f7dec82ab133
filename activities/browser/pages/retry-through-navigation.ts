import { setTimeout as delay } from 'node:timers/promises';

const TRIES = 5;
const BETWEEN_MS = 40;

/**
 * Repeats a question to a page that a navigation replaces meanwhile: captures run beside the next command, which may
 * navigate. Rejects with the last error.
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
