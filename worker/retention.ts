import type { Logger } from '../runtime/process';
import type { Store } from '../store/store';
import type { RetentionPolicy } from '../store/retention/retention';
import { startSweep, type Sweep } from '../runtime/sweep';

const PAUSE_MS = 60_000;
/** Reading a folder of many files costs more than a query. */
const SWEEPS_PER_WALK = 10;

interface RetentionDeps {
  store: Pick<Store, 'retention' | 'recordings' | 'uploads' | 'liveFrames' | 'batches' | 'operations'>;
  keep: RetentionPolicy;
  logger: Logger;
}

/** Notes what charts show of browsers and deletes expired data, in every engine worker; any number may do so. */
export function startRetention(deps: RetentionDeps): Sweep {
  let sweeps = 0;
  return startSweep(
    PAUSE_MS,
    async () => {
      await sweepOnce(deps, { isWalking: sweeps % SWEEPS_PER_WALK === 0 });
      sweeps += 1;
    },
    ({ message }) => deps.logger.warn({ error: message }, 'retention failed; retrying at the next sweep'),
  );
}

export async function sweepOnce(
  { store, keep, logger }: RetentionDeps,
  { isWalking }: { isWalking: boolean },
): Promise<void> {
  const { retention, recordings, uploads, liveFrames, batches, operations } = store;
  await operations.noteBrowserUse();
  const removed = {
    artifacts: await untilNone(() => retention.expireArtifacts(keep)),
    events: await retention.trimHistories(),
    logs: await untilNone(() => retention.expireSessions(keep)),
    sessions: await untilNone(() => retention.deleteSessions(keep)),
    hosts: await retention.deleteSilentHosts(keep),
    uploads: await untilNone(() => uploads.expire(keep)),
    rows: await untilNone(() => batches.expire(keep)),
    frames: await liveFrames.expire(),
    files: isWalking ? await retention.removeOrphans(keep) : 0,
  };
  if (Object.values(removed).some((count) => count > 0)) logger.info(removed, 'deleted expired data');
  // Last: where there is no room for a film, the rest is deleted all the same.
  await untilNone(() => recordings.finishEnded());
}

async function untilNone(removeSome: () => Promise<number>): Promise<number> {
  let sum = 0;
  for (;;) {
    const count = await removeSome();
    if (count === 0) return sum;
    sum += count;
  }
}
