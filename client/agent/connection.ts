import { readSettings, type Settings } from '../../runtime/settings/settings';
import type { TemporalServer } from '../../runtime/settings/temporal';
import { openStore, type Store } from '../../store/store';
import { connectTemporal } from '../../service/connection/connect-temporal';
import type { Sessions } from '../../service/port/port';
import { createSessions } from '../../service/sessions';

/** Connects agents of this process to Surefoot: sessions, store, and Temporal for the tools that run here. */
export interface AgentConnection {
  sessions: Sessions;
  store: Store;
  temporal: TemporalServer;
}

export type OpenAgentConnection = AgentConnection & { close(): Promise<void> };

type Where = Pick<Settings, 'databaseUrl' | 'home' | 'secretKey' | 'maxSessions'> &
  Partial<Pick<Settings, 'connections' | 'files'>> & { temporal: TemporalServer };

/** Opens a connection with the settings of the environment, or of the local stack if it runs. */
export async function openAgentConnection(where: Where = readSettings()): Promise<OpenAgentConnection> {
  const { maxSessions, connections } = where;
  const store = await openStore(where);
  const temporal = connectTemporal(where.temporal);
  return {
    sessions: createSessions({ store, temporal, maxSessions, connections }),
    store,
    temporal: where.temporal,
    async close() {
      await Promise.allSettled([store.close(), temporal.connection.close()]);
    },
  };
}
