import { createModuleLogger, readModuleSettings } from '../runtime/module-settings';
import { runMain } from '../runtime/process';
import { waitFor } from '../runtime/wait-for';
import { outageReason } from '../store/database/outage';
import { openStore } from '../store/store';
import { runKeeper } from './run';

/** The keeper process of one host. */
runMain('surefoot keeper', async () => {
  const settings = readModuleSettings('keeper');
  const logger = createModuleLogger(settings);
  const open = () => openStore({ ...settings, maxConnections: 2 });
  const store = await waitFor('the database', open, (error) => outageReason(error) !== undefined, logger);
  await runKeeper({ settings, endBrowsersOnStop: settings.endBrowsers === '1', registry: store.hosts, logger });
  await store.close();
});
