import type { Sql } from './connect';

/** Notifies other processes of something by its id. A lost notification costs a slow poll. */
export interface Notifier {
  /** After the commit. */
  notify(id: string): Promise<void>;
  /** Never rejects; `onNotified` must not throw. */
  subscribe(onNotified: (id: string) => void): Subscription;
}

export interface Subscription {
  close(): Promise<void>;
}

export function createNotifier(sql: Sql, openClient: () => Sql, channel: string): Notifier {
  return {
    async notify(id) {
      await sql`select pg_notify(${channel}, ${id})`.catch(() => {});
    },
    subscribe(onNotified) {
      const client = openClient();
      // The driver listens again by itself when its connection was closed.
      client.listen(channel, onNotified).catch(() => {});
      return { close: () => client.end({ timeout: 1 }).catch(() => {}) };
    },
  };
}
