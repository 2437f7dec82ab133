import { createLogger, runMain } from '../runtime/process';
import { readSettings } from '../runtime/settings';
import { openStore } from '../store/store';
import { runKeeper } from './run';

/** The keeper process of one host. */
runMain('surefoot keeper', async () => {
  const settings = readSettings();
  const store = await openStore({ ...settings, maxConnections: 2 });
  await runKeeper({ settings, registry: store.hosts, logger: createLogger('keeper') });
  await store.close();
});
