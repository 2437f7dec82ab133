import type { LogRecord } from '../../contracts/events/log';
import type { StreamFilter } from '../../contracts/events/stream-filter';
import type { Store } from '../../store/store';
import { assertLogAvailable, requireSessionRow } from '../sessions/session-row';
import { fromStore, toStoreError } from '../connection/store-errors';

/** Reads a page of the log. Throws `not-found` for an unknown session. */
export async function readLog(
  store: Store,
  name: string,
  after: number,
  limit: number,
  filter?: StreamFilter,
): Promise<LogRecord[]> {
  return await fromStore(async () => {
    const row = await requireSessionRow(store, name);
    const { sessionId } = row;
    assertLogAvailable(row, after);
    return await store.log.read(sessionId, after, limit, filter);
  });
}

/** Follows the log to the terminal record. A cursor beyond the end waits for later records, and ends with the session. */
export async function* followLog(
  store: Store,
  name: string,
  after: number,
  signal: AbortSignal,
): AsyncGenerator<LogRecord[], void> {
  const row = await fromStore(() => requireSessionRow(store, name));
  if (row.closed && after >= row.lastSeq) return;
  assertLogAvailable(row, after);
  try {
    for await (const records of store.log.follow(row.sessionId, Math.min(after, row.lastSeq), signal)) {
      const fresh = records.filter(({ seq }) => seq > after);
      if (fresh.length > 0) yield fresh;
    }
  } catch (error) {
    throw toStoreError(error);
  }
}
