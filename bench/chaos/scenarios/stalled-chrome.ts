import { setTimeout as sleep } from 'node:timers/promises';
import { listBrowserRecords } from '../../../keeper/chrome/browser-record';
import { faultsFired } from '../../../runtime/fault-point';
import type { HarnessClient } from '../../harness';
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
export async function stallChrome(
  { home, store }: Pick<HarnessClient, 'home' | 'store'>,
  sessionId: string,
): Promise<void> {
  await retryUntil('the worker has stopped before the press', STOPPED_WITHIN_MS, () =>
    faultsFired(home, sessionId).length > 0 ? true : undefined,
  );
  const lease = await retryUntil('the session has a lease', STOPPED_WITHIN_MS, async () => {
    return (await store.leases.get(sessionId)) ?? undefined;
  });
  const workerPid = Number(/-(\d+)-\w+$/.exec(lease.workerId)?.[1]);
  const chrome = listBrowserRecords(browsersFolder(home)).find(({ marker }) => marker?.sessionId === sessionId)?.marker;
  if (chrome === undefined || !Number.isInteger(workerPid)) throw new Error(`${sessionId} has no Chrome to stop.`);
  signalNow(chrome.pid, 'SIGSTOP');
  try {
    signalNow(workerPid, 'SIGCONT');
    await sleep(BEFORE_KILL_MS);
    signalNow(workerPid, 'SIGKILL');
    await sleep(AFTER_KILL_MS);
  } finally {
    signalNow(chrome.pid, 'SIGCONT');
  }
}
