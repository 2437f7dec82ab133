import type { Sql } from '../database/connect';

const CHANNEL = 'surefoot_relay';

/** Tells the process that holds a browser's socket to look at the store again. A lost ring costs a slow poll. */
export interface RelayNotifier {
  /** After the commit. */
  notify(browserSessionId: string): Promise<void>;
  /** Never rejects; `hear` must not throw. */
  subscribe(hear: (browserSessionId: string) => void): RelaySubscription;
}

export interface RelaySubscription {
  close(): Promise<void>;
}

export function createRelayNotifier(sql: Sql, openClient: () => Sql): RelayNotifier {
  return {
    async notify(browserSessionId) {
      await sql`select pg_notify(${CHANNEL}, ${browserSessionId})`.catch(() => {});
    },
    subscribe(hear) {
      const client = openClient();
      // The driver listens again by itself when its connection was closed.
      client.listen(CHANNEL, hear).catch(() => {});
      return { close: () => client.end({ timeout: 1 }).catch(() => {}) };
    },
  };
}
