import type { Logger } from '../runtime/process';
import { startSweep, type Sweep } from '../runtime/sweep';
import type { Browsers } from './browsers/browsers';
import type { HostRegistry } from './host-registry';

const PAUSE_MS = 2000;

interface OrphanSweepDeps {
  registry: Pick<HostRegistry, 'leasedTo'>;
  hostId: string;
  browsers: Pick<Browsers, 'list' | 'close'>;
  logger: Logger;
}

/**
 * Ends the Chromes whose session continued on another host, because this one was away or seemed dead. It lists the
 * Chromes before it reads the leases, because a lease is written before its Chrome starts.
 */
export function startOrphanSweep({ registry, hostId, browsers, logger }: OrphanSweepDeps): Sweep {
  let isAway = false;
  return startSweep(
    PAUSE_MS,
    async () => {
      const kept = browsers.list();
      if (kept.length === 0) return;
      const leased = await registry.leasedTo(hostId);
      isAway = false;
      for (const { sessionId, epoch, pid } of kept) {
        if (leased.has(sessionId)) continue;
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
