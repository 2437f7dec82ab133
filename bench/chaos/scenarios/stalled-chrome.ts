import { setTimeout as sleep } from 'node:timers/promises';
import { listBrowserRecords } from '../../../worker/keeper/chrome/browser-record';
import { faultsFired } from '../../../runtime/fault-point';
import type { HarnessClient } from '../../harness/harness';
import { browsersFolder } from '../faults/targets';
import { signalNow } from '../faults/signal-now';
import { retryUntil } from '../retry-until';

const STOPPED_WITHIN_MS = 120_000;
/** Long enough for a press to lie in the socket of the Chrome. */
const BEFORE_KILL_MS = 500;
/** Long enough for the next worker to ask for the browser. */
const AFTER_KILL_MS = 4000;

/**
 * Once the worker has stopped between its intent and the press, stops the Chrome, lets the worker press, kills it, and
 * continues the Chrome while another worker takes over: what the Chrome had not read arrives late.
 */
export async function stallChrome({ home }: Pick<HarnessClient, 'home'>, sessionId: string): Promise<void> {
  // Another worker may have the lease already, which goes on.
  const workerPid = await retryUntil(
    'the worker has stopped before the press',
    STOPPED_WITHIN_MS,
    // The keeper may have died in a fence before: that is another fault of the same session.
    () => faultsFired(home, sessionId).find(({ point }) => point === 'after-intent')?.pid,
  );
  const chrome = listBrowserRecords(browsersFolder(home)).find(({ marker }) => marker?.sessionId === sessionId)?.marker;
  if (chrome !== undefined) signalNow(chrome.pid, 'SIGSTOP');
  try {
    signalNow(workerPid, 'SIGCONT');
    await sleep(BEFORE_KILL_MS);
    signalNow(workerPid, 'SIGKILL');
    await sleep(AFTER_KILL_MS);
  } finally {
    if (chrome !== undefined) signalNow(chrome.pid, 'SIGCONT');
  }
  // Said once the worker is no longer stopped.
  if (chrome === undefined) throw new Error(`${sessionId} had no Chrome to stop.`);
}
