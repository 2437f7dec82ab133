import type { Sql } from './connect';

const CHANNEL = 'surefoot_relay';

/** Tells the process that holds a browser's socket to look at the store again. A lost ring costs a slow poll. */
export interface RelayBell {
  /** After the commit. */
  ring(browserSessionId: string): Promise<void>;
  /** Never rejects; `hear` must not throw. */
  listen(hear: (browserSessionId: string) => void): RelayEar;
}

export interface RelayEar {
  close(): Promise<void>;
}

export function createRelayBell(sql: Sql, openClient: () => Sql): RelayBell {
  return {
    async ring(browserSessionId) {
      await sql`select pg_notify(${CHANNEL}, ${browserSessionId})`.catch(() => {});
    },
    listen(hear) {
      const client = openClient();
      // The driver listens again by itself when its connection was closed.
      client.listen(CHANNEL, hear).catch(() => {});
      return { close: () => client.end({ timeout: 1 }).catch(() => {}) };
    },
  };
}
