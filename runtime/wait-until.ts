import { setTimeout as sleep } from 'node:timers/promises';

/** Polls until the condition is true or the time is over; resolves to whether it became true. */
export async function waitUntil(
  condition: () => boolean | Promise<boolean>,
  limitMs: number,
  pollMs = 20,
): Promise<boolean> {
  const deadline = performance.now() + limitMs;
  for (;;) {
    if (await condition()) return true;
    if (performance.now() >= deadline) return false;
    await sleep(pollMs);
  }
}
