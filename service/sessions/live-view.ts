import { setTimeout as sleep } from 'node:timers/promises';
import type { LiveView } from '../../contracts/browsers/live-frame';
import type { Store } from '../../store/store';
import { ClientError } from '../port/port';
import { isEnded, requireSessionRow } from '../rows/session-row';

/** Shorter than what a reader of the store may take. */
const WAIT_MS = 5000;
const POLL_MS = 80;
/** A worker that has just taken the browser over learns within so long that somebody looks. */
const WANT_EVERY_MS = 1000;

/** Waits for a frame with a number higher than `after`, and says in any case what is known of the page. */
export async function readLiveView(
  store: Store,
  name: string,
  after: number,
  signal: AbortSignal = new AbortController().signal,
): Promise<LiveView> {
  const row = await requireSessionRow(store, name);
  const { sessionId, status } = row;
  if (isEnded(row)) {
    const message = `Session ${sessionId} has ended as ${status}: it has no browser any more. Its screenshots show what it did.`;
    throw new ClientError('wrong-state', 'SP001', message, { state: status });
  }
  const { liveFrames, leases } = store;
  const end = performance.now() + WAIT_MS;
  let wantAgainAt = 0;
  while (!signal.aborted && performance.now() < end) {
    if (performance.now() >= wantAgainAt) {
      if ((await leases.get(sessionId)) === null) {
        await sleep(WANT_EVERY_MS);
        return { state: 'no-browser' };
      }
      await liveFrames.want(sessionId);
      wantAgainAt = performance.now() + WANT_EVERY_MS;
    }
    const frame = await liveFrames.newer(sessionId, after);
    if (frame !== undefined) return { state: 'frame', frame };
    await sleep(POLL_MS);
  }
  return { state: 'unchanged', unseenForMs: await liveFrames.unseenForMs(sessionId) };
}
