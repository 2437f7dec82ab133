import { stringify } from 'csv-stringify/sync';
import type { BatchRow } from '../../contracts/batches/batch';
import type { RowsFormat } from '../../contracts/batches/rows-input';
import type { Batches } from '../../store/batches/batches';

const ROWS_AT_ONCE = 500;

/**
 * Yields the rows that have ended, in pages. A result is JSON in a CSV too, as it may be of any type; and no
 * spreadsheet takes a text of a page for a formula.
 */
export async function* resultsText(
  { rows }: Pick<Batches, 'rows'>,
  { id, columns }: { id: string; columns: readonly string[] },
  format: RowsFormat,
): AsyncGenerator<string> {
  if (format === 'csv') yield stringify([['row', 'state', 'sessionId', ...columns, 'reason', 'result']]);
  for (let after = 0; ;) {
    const page = await rows.list(id, { state: 'ended', after, limit: ROWS_AT_ONCE });
    if (page.length === 0) return;
    after = page.at(-1)!.row;
    yield format === 'csv'
      ? stringify(page.map((row) => csvRow(row, columns)))
      : page.map((row) => `${JSON.stringify(row)}\n`).join('');
  }
}

function csvRow({ row, state, sessionId, variables, reason, result }: BatchRow, columns: readonly string[]) {
  return [
    row,
    state,
    sessionId ?? '',
    ...columns.map((name) => variables[name] ?? ''),
    reason ?? '',
    result === undefined ? '' : JSON.stringify(result),
  ];
}
