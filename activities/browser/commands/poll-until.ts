import { isTargetClosed } from '../attach/playwright-errors';

const POLL_MS = 100;

/** Asks again and again until it is so, the time is up, or somebody wants us to stop. Resolves to the last answer. */
export async function pollUntil(isSo: () => Promise<boolean>, limitMs: number, signal: AbortSignal): Promise<boolean> {
  const end = performance.now() + limitMs;
  for (;;) {
    if (await isSo().catch(unlessGone)) return true;
    signal.throwIfAborted();
    if (performance.now() >= end) return false;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/** A page that is just being replaced gives no answer. */
function unlessGone(error: unknown): false {
  if (isTargetClosed(error)) throw error;
  return false;
}
