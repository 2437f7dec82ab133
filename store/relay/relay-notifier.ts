import type { Sql } from '../database/connect';

const CHANNEL = 'surefoot_relay';

/** Notifies the process that holds a browser's socket of new calls. A lost notification costs a slow poll. */
export interface RelayNotifier {
  /** After the commit. */
  notify(browserSessionId: string): Promise<void>;
  /** Never rejects; `onCall` must not throw. */
  subscribe(onCall: (browserSessionId: string) => void): RelaySubscription;
}

export interface RelaySubscription {
  close(): Promise<void>;
}

export function createRelayNotifier(sql: Sql, openClient: () => Sql): RelayNotifier {
  return {
    async notify(browserSessionId) {
      await sql`select pg_notify(${CHANNEL}, ${browserSessionId})`.catch(() => {});
    },
    subscribe(onCall) {
      const client = openClient();
      // The driver listens again by itself when its connection was closed.
      client.listen(CHANNEL, onCall).catch(() => {});
      return { close: () => client.end({ timeout: 1 }).catch(() => {}) };
    },
  };
}
