import { setTimeout as sleep } from 'node:timers/promises';

const PAUSE_MS = 100;

/** Retries until the attempt resolves to a value: while processes are killed, most requests fail now and then. */
export async function retryUntil<T>(
  what: string,
  limitMs: number,
  ask: () => Promise<T | undefined> | T | undefined,
): Promise<T> {
  const end = Date.now() + limitMs;
  let last: unknown;
  while (Date.now() < end) {
    try {
      const answer = await ask();
      if (answer !== undefined) return answer;
    } catch (error) {
      last = error;
    }
    await sleep(PAUSE_MS);
  }
  const because = last instanceof Error ? `: ${last.message}` : '';
  throw new Error(`Expected within ${Math.round(limitMs / 1000)} s: ${what}${because}`);
}
