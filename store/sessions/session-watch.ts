import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { withReadTimeout } from '../database/read-timeout';
import { LOG_CHANNEL } from '../events/log-notifier';
import type { Sql } from '../database/connect';
import { errorMessage } from '../../contracts/errors/error-message';

const CHANNEL = 'surefoot_sessions';
const BEAT_MS = 2000;
/** A connection that lost its server without a word is found after so many; one alone may be late on a busy machine. */
const MISSED_BEATS = 3;
const BEAT_PREFIX = 'beat ';
const PAUSE_MS = 500;

/** Callbacks of a projection of the sessions. None may throw. */
export interface SessionListener {
  /** The session itself, a module session or a link of it was written or removed. */
  changed(sessionId: string): void;
  /** Its log has grown. Unlike changes, appends may be missed. */
  active(sessionId: string): void;
  /** From now on every change is notified; earlier ones have to be read. Called again after each interruption. */
  connected(): void;
  /** Changes may have been missed, until the next `connected`. */
  disconnected(reason: string): void;
}

export interface SessionWatch {
  stop(): Promise<void>;
}

/**
 * LISTEN for as long as it is wanted. The driver listens again by itself after a connection was closed, and says so by
 * `connected`; what it does not notice (a connection that is dead without being closed, an attempt that failed) shows in a
 * note to ourselves that does not come back, and then everything is opened anew.
 */
export function watchSessions(sql: Sql, openClient: () => Sql, listener: SessionListener): SessionWatch {
  const ending = new AbortController();
  const { signal } = ending;

  async function listenOnce(client: Sql): Promise<void> {
    const own = `${BEAT_PREFIX}${randomUUID()}`;
    let wasHeard = false;
    await client.listen(LOG_CHANNEL, (id) => listener.active(id));
    await client.listen(
      CHANNEL,
      (payload) => {
        if (payload === own) wasHeard = true;
        else if (!payload.startsWith(BEAT_PREFIX)) listener.changed(payload);
      },
      () => listener.connected(),
    );
    for (let missed = 0; missed < MISSED_BEATS; missed = wasHeard ? 0 : missed + 1) {
      wasHeard = false;
      await withReadTimeout(sql`select pg_notify(${CHANNEL}, ${own})`);
      await sleep(BEAT_MS, undefined, { signal });
    }
    throw new Error('the connection that listens is dead');
  }

  // An attempt to listen may hang as long as the driver tries to connect.
  const ended = once(signal, 'abort');
  const running = (async () => {
    while (!signal.aborted) {
      const client = openClient();
      await Promise.race([listenOnce(client), ended]).catch((error: unknown) => {
        if (!signal.aborted) listener.disconnected(errorMessage(error));
      });
      await client.end({ timeout: 1 }).catch(() => {});
      await sleep(PAUSE_MS, undefined, { signal }).catch(() => {});
    }
  })();
  return {
    async stop() {
      ending.abort();
      await running;
    },
  };
}
