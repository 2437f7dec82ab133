import type { Attachments } from '../activities/browser/attach/attachments';
import type { Logger } from '../runtime/process';
import type { Store } from '../store/store';
import { startSweep, type Sweep } from '../runtime/sweep';

const PAUSE_MS = 5000;
/** What a host has noted of a session is kept so long after its last command, and as long as the session is open. */
const NOTES_KEPT_MS = 24 * 60 * 60 * 1000;

interface SweepDeps {
  store: Store;
  attachments: Attachments;
  hostId: string;
  logger: Logger;
}

/** Ends the Chromes of sessions that ended without releasing them: their workflow was terminated or reset. */
export function sweepBrowsersOfEndedSessions({ store, attachments, hostId, logger }: SweepDeps): Sweep {
  return startSweep(
    PAUSE_MS,
    async () => {
      for (const sessionId of await store.leases.ofClosedSessions(hostId)) {
        logger.info({ sessionId }, 'ending the browser of a session that has ended');
        await attachments.release(sessionId);
      }
      await removeOldNotes(store);
    },
    ({ message }) => logger.warn({ error: message }, 'browsers of ended sessions could not be listed; retrying'),
  );
}

async function removeOldNotes({ witness, sessions }: Store): Promise<void> {
  for (const { sessionId, quietForMs } of await witness.list())
    if (quietForMs > NOTES_KEPT_MS && (await sessions.get(sessionId))?.closed !== false)
      await witness.remove(sessionId);
}
