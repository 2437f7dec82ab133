import type { Sql } from '../database/connect';

export const LOG_CHANNEL = 'surefoot_log';
/** A lost notification costs a reader at most this long. */
const SLOW_POLL_MS = 1000;

/** One waiting reader of one session. */
export interface LogSubscription {
  reset(): void;
  /** Resolves when something was appended since the last reset, after a slow poll's time, or on abort. */
  waitForAppend(signal: AbortSignal): Promise<void>;
  close(): void;
}

/** Wakes the readers of a session after a commit, in this process and by NOTIFY in every other one. */
export interface LogNotifier {
  notify(sessionId: string): void;
  subscribe(sessionId: string): Promise<LogSubscription>;
  close(): Promise<void>;
}

/**
 * NOTIFY runs after the commit and outside of it (inside, it takes a lock that more than halved the throughput), and
 * once for all appends of a session that happen while one NOTIFY is under way.
 */
export function createLogNotifier(sql: Sql, openClient: () => Sql): LogNotifier {
  const waiting = new Map<string, Set<() => void>>();
  const pendingIds = new Set<string>();
  let isSending = false;
  let client: Sql | undefined;
  let attempt: Promise<void> | undefined;

  /**
   * Never rejects: without LISTEN readers have their slow poll. A client whose LISTEN failed remembers the failure for
   * good, so the next reader tries with a new one.
   */
  function ensureListening(): Promise<void> {
    attempt ??= (async () => {
      const fresh = openClient();
      try {
        await fresh.listen(LOG_CHANNEL, wake);
        client = fresh;
      } catch {
        attempt = undefined;
        await fresh.end({ timeout: 1 }).catch(() => {});
      }
    })();
    return attempt;
  }

  const wake = (sessionId: string): void => {
    for (const onAppend of waiting.get(sessionId) ?? []) onAppend();
  };

  async function send(): Promise<void> {
    isSending = true;
    try {
      while (pendingIds.size > 0) {
        const ids = [...pendingIds];
        pendingIds.clear();
        await sql`select pg_notify(${LOG_CHANNEL}, id) from jsonb_array_elements_text(${sql.json(ids)}) as id`;
      }
    } catch {
      // Readers have their slow poll; the next append notifies again.
    } finally {
      isSending = false;
    }
  }

  return {
    notify(sessionId) {
      wake(sessionId);
      pendingIds.add(sessionId);
      if (!isSending) void send();
    },
    async subscribe(sessionId) {
      await ensureListening();
      let hasAppend = false;
      let resume: (() => void) | undefined;
      const onAppend = (): void => {
        hasAppend = true;
        resume?.();
      };
      const set = waiting.get(sessionId) ?? new Set();
      waiting.set(sessionId, set.add(onAppend));
      return {
        reset: () => {
          hasAppend = false;
        },
        waitForAppend: (signal) =>
          new Promise((resolve) => {
            if (hasAppend || signal.aborted) return resolve();
            const done = (): void => {
              clearTimeout(timer);
              signal.removeEventListener('abort', done);
              resume = undefined;
              resolve();
            };
            const timer = setTimeout(done, SLOW_POLL_MS);
            signal.addEventListener('abort', done);
            resume = done;
          }),
        close: () => {
          set.delete(onAppend);
          if (set.size === 0) waiting.delete(sessionId);
        },
      };
    },
    async close() {
      await client?.end({ timeout: 1 });
    },
  };
}
