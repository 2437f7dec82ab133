import type { Logger } from '../runtime/process';
import type { Store } from '../store/store';
import type { RetentionPolicy } from '../store/artifacts/retention';
import { startSweep, type Sweep } from '../runtime/sweep';

const PAUSE_MS = 60_000;
/** Walking through a folder of many files costs more than asking for what is old. */
const SWEEPS_PER_WALK = 10;

interface RetentionDeps {
  store: Pick<Store, 'upkeep'>;
  keep: RetentionPolicy;
  logger: Logger;
}

/** Removes what has been kept long enough, in every engine worker: none of it matters who does it, or how often. */
export function startRetention(deps: RetentionDeps): Sweep {
  let sweeps = 0;
  return startSweep(
    PAUSE_MS,
    async () => {
      await sweepOnce(deps, { isWalking: sweeps % SWEEPS_PER_WALK === 0 });
      sweeps += 1;
    },
    ({ message }) => deps.logger.warn({ error: message }, 'the upkeep could not be done; it is tried again'),
  );
}

export async function sweepOnce(
  { store, keep, logger }: RetentionDeps,
  { isWalking }: { isWalking: boolean },
): Promise<void> {
  const { retention: upkeep } = store;
  const removed = {
    artifacts: await untilNone(() => upkeep.expireArtifacts(keep)),
    events: await upkeep.trimHistories(),
    logs: await untilNone(() => upkeep.expireSessions(keep)),
    sessions: await untilNone(() => upkeep.deleteSessions(keep)),
    hosts: await upkeep.deleteSilentHosts(keep),
    files: isWalking ? await upkeep.removeOrphans(keep) : 0,
  };
  if (Object.values(removed).some((count) => count > 0)) logger.info(removed, 'removed what was kept long enough');
}

async function untilNone(removeSome: () => Promise<number>): Promise<number> {
  let sum = 0;
  for (;;) {
    const count = await removeSome();
    if (count === 0) return sum;
    sum += count;
  }
}
