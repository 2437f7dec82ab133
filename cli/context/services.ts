import type { Client } from '@temporalio/client';
import type { Sessions } from '../../service/port/port';
import { readSettings, type Settings } from '../../runtime/settings/settings';
import type { Store } from '../../store/store';
import { withinTimeout, assertReachable, databaseEndpoint, temporalEndpoint } from './endpoints';

export interface Services {
  settings: Settings;
  sessions: Sessions;
  store: Store;
  temporal: Client;
}

/** Reading a session, and giving it a message, needs only the database, so it works while Temporal is down. */
export type Need = 'reading' | 'acting';

const CONNECTIONS = 3;

/** Connects, runs the work and closes the connections. Throws a CliError when a service can't be reached. */
export async function withServices<T>(
  need: Need,
  work: (services: Services) => Promise<T>,
  settings: Settings = readSettings(),
): Promise<T> {
  await Promise.all([
    assertReachable(databaseEndpoint(settings.databaseUrl)),
    ...(need === 'acting' ? [assertReachable(temporalEndpoint(settings.temporal.address))] : []),
  ]);
  // Loaded here because these modules take most of a command's start-up time.
  const { openStore } = await import('../../store/store.js');
  const { connectTemporal } = await import('../../service/connection/connect-temporal.js');
  const { createSessions } = await import('../../service/sessions.js');
  const { databaseUrl, home, secretKey, files, maxSessions, connections } = settings;
  const store = await withinTimeout(
    'PostgreSQL',
    openStore({ databaseUrl, home, secretKey, files, maxConnections: CONNECTIONS }),
  );
  const temporal = connectTemporal(settings.temporal);
  try {
    const sessions = createSessions({ store, temporal, maxSessions, connections, floors: settings });
    return await work({ settings, sessions, store, temporal });
  } finally {
    await temporal.connection.close();
    await store.close();
  }
}
