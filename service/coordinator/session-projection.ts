import { isOpen } from '../../contracts/sessions/session';
import type { ModuleSessions } from '../../store/sessions/module-sessions';
import { toKnownSession, type KnownSession } from './known-session';
import { sessionChanges, type SessionChange } from './session-changes';

/** The number of ended sessions, the newest, that are kept. */
const ENDED_KEPT = 500;

/** The sessions as this process last read them, for callers that need an answer at once. */
export interface SessionProjection {
  get(sessionId: string): KnownSession | undefined;
  all(): Iterable<KnownSession>;
  /** Reads a session again; resolves when look-ups return what was stored at the time of the call. */
  refresh(sessionId: string): Promise<void>;
  /** Reads all sessions again, and notifies of every difference. */
  reload(): Promise<void>;
}

/**
 * Reads run one after another, so that an older state never replaces a newer one; requests during a read are merged
 * into the next. The projection keeps every open session and the newest ended ones.
 */
export function createSessionProjection(
  store: Pick<ModuleSessions, 'read' | 'newest'>,
  notify: (sessionId: string, changes: readonly SessionChange[]) => void,
): SessionProjection {
  const known = new Map<string, KnownSession>();
  let isLoaded = false;
  /** An ended session that was created before this time is not new, even if it was not kept. */
  let horizon = new Date(0);
  let tail: Promise<void> = Promise.resolve();
  let next: Promise<void> | undefined;
  let waiting = new Set<string>();

  function inTurn(read: () => Promise<void>): Promise<void> {
    const turn = tail.then(read);
    tail = turn.catch(() => {});
    return turn;
  }

  function replace(sessionId: string, after: KnownSession | undefined): void {
    const before = known.get(sessionId);
    if (after === undefined) known.delete(sessionId);
    else known.set(sessionId, after);
    const isNew = after !== undefined && (isOpen(after.session.status) || after.session.createdAt > horizon);
    const changes = isLoaded ? sessionChanges(before, after, isNew && !after.isTornDown) : [];
    if (changes.length > 0) notify(sessionId, changes);
  }

  async function readInto(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    const found = new Map((await store.read(ids)).map((row) => [row.sessionId, toKnownSession(row)]));
    for (const id of ids) replace(id, found.get(id));
  }

  function forgetOldest(): void {
    const ended = [...known.values()].filter(({ session }) => !isOpen(session.status));
    if (ended.length < 2 * ENDED_KEPT) return;
    ended.sort((a, b) => Number(a.session.createdAt) - Number(b.session.createdAt));
    for (const { session } of ended.slice(0, ended.length - ENDED_KEPT)) {
      known.delete(session.sessionId);
      if (session.createdAt > horizon) horizon = session.createdAt;
    }
  }

  return {
    get: (sessionId) => known.get(sessionId),
    all: () => known.values(),
    refresh(sessionId) {
      waiting.add(sessionId);
      next ??= inTurn(async () => {
        const ids = [...waiting];
        waiting = new Set();
        next = undefined;
        await readInto(ids);
        forgetOldest();
      });
      return next;
    },
    reload: () =>
      inTurn(async () => {
        const found = (await store.newest(ENDED_KEPT)).map(toKnownSession);
        const ids = new Set(found.map(({ session }) => session.sessionId));
        // A kept session that was not found is deleted, or is now among the older ended ones.
        await readInto([...known.keys()].filter((id) => !ids.has(id)));
        for (const each of found) replace(each.session.sessionId, each);
        if (!isLoaded) horizon = new Date(Math.max(0, ...found.map(({ session }) => Number(session.createdAt))));
        isLoaded = true;
        forgetOldest();
      }),
  };
}
