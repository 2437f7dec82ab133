import type { Client } from '@temporalio/client';
import { createMessageDelivery } from '../service/messages/deliver-messages';
import type { Logger } from '../runtime/process';
import { startSweep, type Sweep } from '../runtime/sweep';
import type { Store } from '../store/store';

const PAUSE_MS = 1000;
const BATCH = 50;

/** Delivers messages that no session has answered yet: they were given while no worker ran, or their giver has died. */
export function startMessageSweep(deps: { store: Store; client: Client; logger: Logger }): Sweep {
  const { store, client, logger } = deps;
  const { deliverPending } = createMessageDelivery({ store, temporal: client });
  return startSweep(
    PAUSE_MS,
    async () => {
      const sessions = await store.controlMessages.sessionsWithPending(BATCH);
      await Promise.all(sessions.map((session) => deliverPending(session)));
    },
    ({ message }) => logger.warn({ error: message }, 'pending messages could not be delivered; retrying'),
  );
}
