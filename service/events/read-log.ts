import type { LogRecord } from '../../contracts/events/log';
import type { StreamFilter } from '../../contracts/events/stream-filter';
import { LogCut } from '../../store/events/event-log';
import type { SessionRow } from '../../store/sessions/sessions';
import type { Store } from '../../store/store';
import { fromStore, toStoreError } from '../connection/store-errors';
import { logGone, requireSessionRow } from '../rows/session-row';

/** Reads a page of the log; from 0, of all that is left. Throws `not-found`, and `gone` where events after the cursor were removed. */
export async function readLog(
  store: Store,
  name: string,
  after: number,
  limit: number,
  filter?: StreamFilter,
): Promise<LogRecord[]> {
  const row = await fromStore(() => requireSessionRow(store, name));
  const { sessionId } = row;
  try {
    return await fromStore(() => store.log.read(sessionId, startOf(row, after), limit, filter));
  } catch (error) {
    throw toLogError(sessionId, error);
  }
}

/**
 * Follows the log to the terminal record. A cursor beyond the end waits for later records, and ends with the session. A
 * reader that is so slow that events were removed before it had them gets `gone`.
 */
export async function* followLog(
  store: Store,
  name: string,
  after: number,
  signal: AbortSignal,
): AsyncGenerator<LogRecord[], void> {
  const row = await fromStore(() => requireSessionRow(store, name));
  if (row.closed && after >= row.lastSeq) return;
  try {
    for await (const records of store.log.follow(row.sessionId, Math.min(startOf(row, after), row.lastSeq), signal)) {
      const fresh = records.filter(({ seq }) => seq > after);
      if (fresh.length > 0) yield fresh;
    }
  } catch (error) {
    throw toLogError(row.sessionId, error);
  }
}

/** A reader that starts at 0 gets what is left. */
function startOf({ firstSeq, isExpired }: SessionRow, after: number): number {
  return after === 0 && !isExpired ? firstSeq - 1 : after;
}

function toLogError(sessionId: string, error: unknown): unknown {
  return error instanceof LogCut ? logGone(sessionId, error.firstSeq, error.isExpired) : toStoreError(error);
}
