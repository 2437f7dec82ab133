import type { Sessions, SessionState } from '../../service/port/port';
import type { Logger } from '../../runtime/process';
import { SessionFeed } from './session-feed';

/** Feeds of watched sessions, each from its first viewer to its last. */
export interface Feeds {
  /** Joins a viewer. Call `leave` when it disconnects. */
  join(state: SessionState): { feed: SessionFeed; leave: () => void };
  /** Sessions that are followed. */
  readonly size: number;
}

interface Shared {
  feed: SessionFeed;
  viewers: number;
  stop: AbortController;
}

export function createFeeds(sessions: Sessions, retryMs: number, logger: Logger): Feeds {
  const shared = new Map<string, Shared>();

  const open = (state: SessionState): Shared => {
    const feed = new SessionFeed(sessions, state.sessionId, state);
    const stop = new AbortController();
    void feed.run(stop.signal, retryMs, logger);
    const entry: Shared = { feed, viewers: 0, stop };
    shared.set(state.sessionId, entry);
    return entry;
  };

  return {
    join(state) {
      const { sessionId } = state;
      const known = shared.get(sessionId);
      // A feed that was cut off goes no further; a viewer with a later cursor needs another.
      const entry = known === undefined || known.feed.cut !== undefined ? open(state) : known;
      entry.viewers += 1;
      let isHere = true;
      const leave = () => {
        if (!isHere) return;
        isHere = false;
        entry.viewers -= 1;
        if (entry.viewers > 0) return;
        entry.stop.abort();
        if (shared.get(sessionId) === entry) shared.delete(sessionId);
      };
      return { feed: entry.feed, leave };
    },
    get size() {
      return shared.size;
    },
  };
}
