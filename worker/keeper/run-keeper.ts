import { createModuleLogger } from '../../runtime/module-settings';
import type { PartOptions } from '../../runtime/part';
import { waitFor } from '../../runtime/wait-for';
import { outageReason } from '../../store/database/outage';
import { watchEventLoop } from '../../store/stalls/watchdog';
import { openStore } from '../../store/store';
import { runKeeper } from './run';

/** The keeper of one host, with the registry of hosts in the database. Resolves when it was shut down. */
export async function runHostKeeper({ settings, shutdown, onReady, isOwnProcess }: PartOptions): Promise<void> {
  const logger = createModuleLogger(settings);
  const stopWatching = watchEventLoop({ process: 'keeper', isOwnProcess, settings });
  const open = () => openStore({ ...settings, maxConnections: 2 });
  const store = await waitFor('the database', open, (error) => outageReason(error) !== undefined, logger);
  const endBrowsersOnStop = settings.endBrowsers === '1';
  await runKeeper({
    settings,
    endBrowsersOnStop,
    registry: store.hosts,
    logger,
    stopRequested: shutdown,
    onReady,
  });
  await store.close();
  await stopWatching();
}
