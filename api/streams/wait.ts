import { setTimeout as sleep } from 'node:timers/promises';

/** Waits; an abort ends the wait without an error. */
export async function waitUnlessAborted(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined);
}
