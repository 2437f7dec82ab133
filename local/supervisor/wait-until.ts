import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 20;

/** Looks until the condition holds or the time is up; says which it was. */
export async function waitUntil(isSo: () => boolean | Promise<boolean>, withinMs: number): Promise<boolean> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    if (await isSo()) return true;
    if (performance.now() >= deadline) return false;
    await sleep(POLL_MS);
  }
}
