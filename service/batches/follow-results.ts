import { setTimeout as delay } from 'node:timers/promises';
import type { RowsFormat } from '../../contracts/batches/rows-input';
import type { Batches, BatchRecord } from '../../store/batches/batches';
import { fromStore } from '../connection/store-errors';
import { retryDuringOutage } from '../connection/retry-outages';
import { headerText, rowsText } from './results-text';

const ROWS_AT_ONCE = 500;
const PAUSE_MS = 500;

export interface FollowOptions {
  format: RowsFormat;
  /** The position behind which to begin; a CSV that begins with the first row has a header. */
  after?: number | undefined;
  signal: AbortSignal;
  /** Called once for each outage of the database, through which it waits. */
  onOutage?: () => void;
}

/** A text with the rows that have ended, in that order, and the position of the last one. */
export interface FollowedRows {
  text: string;
  position: number;
}

/**
 * Yields rows as they end, until the batch has ended or the signal aborts. A row that is run again comes again.
 */
export async function* followResults(
  { rows }: Pick<Batches, 'rows'>,
  find: () => Promise<BatchRecord>,
  { format, after = 0, signal, onOutage }: FollowOptions,
): AsyncGenerator<FollowedRows> {
  let position = after;
  let isBegun = after > 0;
  const read = () =>
    fromStore(async () => {
      // Before its rows: when a batch has ended, all of them have.
      const { id, columns, endedAt } = await find();
      return { columns, hasEnded: endedAt !== undefined, page: await rows.list(id, pageAfter(position)) };
    });
  while (!signal.aborted) {
    const { columns, hasEnded, page } = await retryDuringOutage(read, signal, onOutage);
    const header = isBegun ? '' : headerText(columns, format, true);
    isBegun = true;
    position = page.at(-1)?.position ?? position;
    if (header !== '' || page.length > 0) yield { text: header + rowsText(page, columns, format, true), position };
    if (page.length > 0) continue;
    if (hasEnded) return;
    await delay(PAUSE_MS, undefined, { signal }).catch(() => {});
  }
}

function pageAfter(endedAfter: number) {
  return { endedAfter, limit: ROWS_AT_ONCE };
}
