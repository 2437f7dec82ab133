import { isOpen } from '../../contracts/sessions/session';
import type { ModuleSessions } from '../../store/sessions/module-sessions';
import { toKnownSession, type KnownSession } from './known-session';
import { changesBetween, type SessionChange } from './session-changes';

/** Of the sessions that have ended, so many of the newest are held. */
const ENDED_KEPT = 500;

/** The sessions as this process knows them, for those who can't wait for an answer. */
export interface SessionProjection {
  get(sessionId: string): KnownSession | undefined;
  all(): Iterable<KnownSession>;
  /** Resolves when what was stored at the time of the call is known here. */
  refresh(sessionId: string): Promise<void>;
  /** The same for all; what is new, changed or gone since the last time is notified like any other change. */
  reload(): Promise<void>;
}

/**
 * Reads follow one another, so a picture is never replaced by an older one; those asked for while one is under way are
 * one read. Every open session is held, and the newest of the ended ones: older ones are not known here.
 */
export function createSessionProjection(
  store: Pick<ModuleSessions, 'read' | 'newest'>,
  notify: (sessionId: string, changes: readonly SessionChange[]) => void,
): SessionProjection {
  const known = new Map<string, KnownSession>();
  let isLoaded = false;
  /** Of what was created up to then and has ended, nothing is new because it is not held. */
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
    const changes = isLoaded ? changesBetween(before, after, isNew && !after.isTornDown) : [];
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
        // What is held and not among them is gone, or has only become one of the older ones.
        await readInto([...known.keys()].filter((id) => !ids.has(id)));
        for (const each of found) replace(each.session.sessionId, each);
        if (!isLoaded) horizon = new Date(Math.max(0, ...found.map(({ session }) => Number(session.createdAt))));
        isLoaded = true;
        forgetOldest();
      }),
  };
}
