import type { Client } from '@temporalio/client';
import { isOpen } from '../../contracts/sessions/session';
import { sessionIdOf } from '../../store/sessions/session-id';
import type { SessionRow } from '../../store/sessions/sessions';
import type { Store } from '../../store/store';
import { ClientError, type SessionState } from '../port/port';
import { unknownSessionText } from './unknown-session';

/**
 * Reads the row of a session by its id, by its workflow id, or by the beginning of its id that no other has. With `temporal`,
 * the error says what that knows of one without a row.
 */
export async function requireSessionRow(store: Store, name: string, temporal?: Client): Promise<SessionRow> {
  const row = (await store.sessions.get(sessionIdOf(name))) ?? (await rowBeginningWith(store, name));
  if (row === null) throw notFound(await unknownSessionText({ store, temporal }, name));
  return row;
}

/** Reads the row of a session whose whole id, or workflow id, is named: what is done to it can't be taken back. */
export async function requireNamedRow(store: Store, name: string): Promise<SessionRow> {
  const row = await store.sessions.get(sessionIdOf(name));
  if (row === null) throw notFound(`There is no session ${name}. Give the whole id.`);
  return row;
}

const BEGINNING = /^(?=[0-9a-f-]{1,35}$)[0-9a-f]{1,8}(?:-[0-9a-f]{0,4}){0,3}(?:-[0-9a-f]{0,11})?$/i;

async function rowBeginningWith({ sessions }: Store, name: string): Promise<SessionRow | null> {
  if (!BEGINNING.test(name)) return null;
  const [found, another] = await sessions.beginningWith(name.replaceAll('-', '').toLowerCase(), 2);
  if (another !== undefined) throw notFound(`Several sessions begin with ${name}. Give more of the id.`);
  return found === undefined ? null : await sessions.get(found);
}

export function notFound(message: string): ClientError {
  return new ClientError('not-found', 'CM001', message);
}

/** The error of a cursor that lies before what is kept of a log; `firstSeq` is the oldest event that is. */
export function logGone(sessionId: string, firstSeq: number, isExpired: boolean): ClientError {
  const message = isExpired
    ? `The log of session ${sessionId} was removed after its retention; only the end of the session is still known.`
    : `Of session ${sessionId} the events before ${firstSeq} are gone (streamConfig.maxHistorySize); read on from ${firstSeq - 1}, or from the start for all that is left.`;
  return new ClientError('gone', 'CM001', message, { firstSeq });
}

/**
 * Throws `gone` where events after the cursor were removed, and where the log ends before the cursor: it was put back to an
 * earlier time. A reader that starts at 0 gets what is left.
 */
export function assertLogAvailable(
  { sessionId, isExpired, firstSeq, lastSeq }: Pick<SessionState, 'sessionId' | 'isExpired' | 'firstSeq' | 'lastSeq'>,
  after: number,
): void {
  if (after > lastSeq)
    throw new ClientError(
      'gone',
      'CM001',
      `The log of session ${sessionId} ends at ${lastSeq}, and this reader has read up to ${after}: the database was put back to an earlier time, or the cursor is one of another session. Read on from ${lastSeq}.`,
      { firstSeq: lastSeq + 1 },
    );
  if (isExpired && after < lastSeq) throw logGone(sessionId, lastSeq + 1, true);
  if (after !== 0 && after < firstSeq - 1) throw logGone(sessionId, firstSeq, false);
}

/** The session takes no more updates. Its log is complete when the row is closed, a moment later. */
export function isEnded(row: SessionRow): boolean {
  return row.closed || !isOpen(row.status);
}
