import { CancellationScope, sleep } from '@temporalio/workflow';
import type { Lease } from '../../activities/signatures/browser-activities';
import { isTransient, isWorkerGone } from '../proxies/failures';
import { onHost } from '../proxies/at-host';
import type { Route } from '../proxies/activity-proxies';
import type { SessionRun } from './session-run';

/** After a cancellation a running command gets this long to end before its browser is taken away. */
const CANCEL_PATIENCE_MS = 900;

/**
 * Sends work to the worker that is attached to the browser; where that is dead (no heartbeat for a second, or nobody takes the
 * task), to any worker of its host, which attaches to the same Chrome under the next epoch (attach.ts). A pause or a
 * cancellation stops it after its current command; undefined when it then has no result.
 */
export async function atBrowser<T>(
  { session, batch }: Pick<SessionRun, 'session' | 'batch'>,
  lease: Lease,
  send: (route: Route) => Promise<T>,
): Promise<T | undefined> {
  const result = batch.run(async () => {
    try {
      return await send('worker');
    } catch (error) {
      if (!isWorkerGone(error) && !isTransient(error)) throw error;
      const host = { sessionId: session.id, hostId: lease.hostId };
      return await onHost(host, session.config.timeouts.connectionTimeoutMs, () => send('host'));
    }
  });
  const { ended } = batch;
  return await Promise.race([result, givenUpAfterCancel(() => batch.ended === ended)]);
}

/** Rejects some time after the surrounding scope (the step or the session) is cancelled; never resolves. */
async function givenUpAfterCancel(isUnderWay: () => boolean): Promise<never> {
  try {
    return await CancellationScope.current().cancelRequested;
  } catch (cancellation) {
    // The scope outlives this batch: a later cancellation is nothing to wait for.
    if (!isUnderWay()) throw cancellation;
    await CancellationScope.nonCancellable(() => sleep(CANCEL_PATIENCE_MS, { summary: 'let the running command end' }));
    throw cancellation;
  }
}
