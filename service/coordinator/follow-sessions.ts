import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../../runtime/process';
import type { Store } from '../../store/store';
import type { SessionChange } from './session-changes';
import { createSessionProjection, type SessionProjection } from './session-projection';

/** The last activity changes with every append, so it is read at most so often. */
const ACTIVITY_MS = 250;
const RETRY_MS = 500;

interface FollowedSessions {
  projection: SessionProjection;
  /** Resolves when everything was read for the first time. */
  ready: Promise<void>;
  /** Why look-ups may be old; undefined while every change is notified. */
  staleness(): string | undefined;
  stop(): Promise<void>;
}

/**
 * Keeps a projection up to date: reads everything when it starts to listen and after each interruption, otherwise what
 * was changed.
 */
export function followSessions(
  store: Pick<Store, 'moduleSessions' | 'watch'>,
  logger: Pick<Logger, 'warn'>,
  notify: (sessionId: string, changes: readonly SessionChange[]) => void,
): FollowedSessions {
  const projection = createSessionProjection(store.moduleSessions, notify);
  const ready = Promise.withResolvers<void>();
  const ending = new AbortController();
  const active = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let stale: string | undefined = 'nothing was read yet';
  let reloading: Promise<void> | undefined;

  async function reload(): Promise<void> {
    while (!ending.signal.aborted) {
      const asked = stale;
      try {
        await projection.reload();
        // A connection that broke meanwhile has set another reason and requests another read.
        if (stale === asked) stale = undefined;
        ready.resolve();
        return;
      } catch (error) {
        becomeStale((error as Error).message);
        await sleep(RETRY_MS, undefined, { signal: ending.signal }).catch(() => {});
      }
    }
  }

  function becomeStale(reason: string): void {
    if (stale === undefined)
      logger.warn({ reason }, 'changes of sessions are missed; look-ups may be old until the connection is back');
    stale = reason;
  }

  function readAll(): void {
    reloading = (reloading ?? Promise.resolve()).then(reload);
  }

  function read(sessionId: string): void {
    projection.refresh(sessionId).catch((error: unknown) => {
      if (ending.signal.aborted) return;
      becomeStale((error as Error).message);
      readAll();
    });
  }

  const watch = store.watch({
    changed: read,
    active(sessionId) {
      active.add(sessionId);
      timer ??= setTimeout(() => {
        timer = undefined;
        for (const id of active) read(id);
        active.clear();
      }, ACTIVITY_MS);
    },
    connected: readAll,
    disconnected: becomeStale,
  });
  return {
    projection,
    ready: ready.promise,
    staleness: () => stale,
    async stop() {
      ending.abort();
      clearTimeout(timer);
      await watch.stop();
      await reloading;
      ready.resolve();
    },
  };
}
