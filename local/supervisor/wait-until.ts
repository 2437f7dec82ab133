import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 20;

/** Polls until the condition is true or the time is over; resolves to whether it became true. */
export async function waitUntil(condition: () => boolean | Promise<boolean>, withinMs: number): Promise<boolean> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    if (await condition()) return true;
    if (performance.now() >= deadline) return false;
    await sleep(POLL_MS);
  }
}
