import type { Logger } from '../runtime/process';
import type { Settings } from '../runtime/settings/settings';
import { waitFor } from '../runtime/wait-for';
import { outageReason } from '../store/database/outage';
import { openStore, type Store } from '../store/store';

/** Opens the store; waits while the database is not available. */
export async function openStoreWhenAvailable(settings: Settings, logger: Logger): Promise<Store> {
  return await waitFor(
    'the database',
    () => openStore(settings),
    (error) => outageReason(error) !== undefined,
    logger,
  );
}
