import { isOpen } from '../../contracts/sessions/session';
import { sessionIdOf } from '../../store/sessions/session-id';
import type { SessionRow } from '../../store/sessions/sessions';
import type { Store } from '../../store/store';
import { ClientError, type SessionState } from '../port';

/** The row of a session, by its id or by the name of its workflow. */
export async function requireSessionRow(store: Store, name: string): Promise<SessionRow> {
  const row = await store.sessions.get(sessionIdOf(name));
  if (row === null) throw notFound(`There is no session ${name}.`);
  return row;
}

export function notFound(message: string): ClientError {
  return new ClientError('not-found', 'CM001', message);
}

/**
 * Reading on from a cursor in a log, or a part of one, that is not there any more would look like a log without events.
 * A reader that begins at the start gets what there is.
 */
export function assertLogAvailable(
  { sessionId, isExpired, firstSeq, lastSeq }: Pick<SessionState, 'sessionId' | 'isExpired' | 'firstSeq' | 'lastSeq'>,
  after: number,
): void {
  if (isExpired && after < lastSeq) {
    throw new ClientError(
      'gone',
      'CM001',
      `The log of session ${sessionId} was kept as long as the settings say and is gone; only how it ended is still known.`,
    );
  }
  if (after === 0 || after >= firstSeq - 1) return;
  throw new ClientError(
    'gone',
    'CM001',
    `Of session ${sessionId} the events before ${firstSeq} are gone (streamConfig.maxHistorySize); read on from ${firstSeq - 1}, or from the start for all that is left.`,
  );
}

/** It takes no more orders. Its log is complete once the row is closed, which may be a moment later. */
export function isEnded(row: SessionRow): boolean {
  return row.closed || !isOpen(row.status);
}
