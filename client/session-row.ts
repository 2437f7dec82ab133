import { isOpen } from '../contracts/session';
import { sessionIdOf } from '../store/session-id';
import type { SessionRow } from '../store/sessions';
import type { Store } from '../store/store';
import { ClientError, type SessionState } from './port';

/** The row of a session, by its id or by the name of its workflow. */
export async function rowOf(store: Store, name: string): Promise<SessionRow> {
  const row = await store.sessions.get(sessionIdOf(name));
  if (row === null) throw notFound(`There is no session ${name}.`);
  return row;
}

export function notFound(message: string): ClientError {
  return new ClientError('not-found', 'CM001', message);
}

/** Reading on from a cursor in a log that is not there any more would look like a log without events. */
export function refuseExpired(
  { sessionId, isExpired, lastSeq }: Pick<SessionState, 'sessionId' | 'isExpired' | 'lastSeq'>,
  after: number,
): void {
  if (!isExpired || after >= lastSeq) return;
  throw new ClientError(
    'gone',
    'CM001',
    `The log of session ${sessionId} was kept as long as the settings say and is gone; only how it ended is still known.`,
  );
}

/** It takes no more orders. Its log is complete once the row is closed, which may be a moment later. */
export function isEnded(row: SessionRow): boolean {
  return row.closed || !isOpen(row.status);
}
