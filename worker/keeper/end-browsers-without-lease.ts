import type { Logger } from '../../runtime/process';
import { startSweep, type Sweep } from '../../runtime/sweep';
import type { Browsers } from './browsers/browsers';
import type { HostRegistry } from './host/host-registry';

const PAUSE_MS = 2000;
/** Longer than a session takes to write its lease again, in a database that was put back to an earlier time. */
const FORGOTTEN_FOR_MS = 600_000;

interface SweepDeps {
  registry: Pick<HostRegistry, 'leaseStates'>;
  hostId: string;
  browsers: Pick<Browsers, 'list' | 'close'>;
  logger: Logger;
}

/**
 * Ends the Chromes whose session continued on another host, because this one was away or seemed dead. It lists the
 * Chromes before it reads the leases, because a lease is written before its Chrome starts. One whose lease the database has
 * forgotten has the page of its session, which is about to write the lease again.
 */
export function sweepBrowsersWithoutLease({ registry, hostId, browsers, logger }: SweepDeps): Sweep {
  let isAway = false;
  let forgottenSince = new Map<string, number>();
  return startSweep(
    PAUSE_MS,
    async () => {
      const kept = browsers.list();
      if (kept.length === 0) return;
      const states = await registry.leaseStates(hostId, kept);
      isAway = false;
      const now = performance.now();
      const forgotten = kept.filter(({ sessionId }) => states.get(sessionId) === 'forgotten');
      forgottenSince = new Map(forgotten.map(({ sessionId }) => [sessionId, forgottenSince.get(sessionId) ?? now]));
      for (const { sessionId, epoch, pid } of kept) {
        const since = forgottenSince.get(sessionId) ?? -Infinity;
        if (states.get(sessionId) === 'leased' || now - since < FORGOTTEN_FOR_MS) continue;
        logger.warn({ sessionId, pid, epoch }, 'ending a Chrome whose session has no lease on this host any more');
        await browsers.close(sessionId, { upTo: epoch });
      }
    },
    ({ message }) => {
      if (!isAway) logger.warn({ error: message }, 'the leases can not be read; trying again');
      isAway = true;
    },
  );
}
