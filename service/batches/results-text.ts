import { stringify } from 'csv-stringify/sync';
import type { BatchRow } from '../../contracts/batches/batch';
import type { RowsFormat } from '../../contracts/batches/rows-input';
import type { Batches } from '../../store/batches/batches';

const ROWS_AT_ONCE = 500;

/** Yields the rows that have ended, in pages. */
export async function* resultsText(
  { rows }: Pick<Batches, 'rows'>,
  { id, columns }: { id: string; columns: readonly string[] },
  format: RowsFormat,
): AsyncGenerator<string> {
  const header = headerText(columns, format);
  if (header !== '') yield header;
  for (let after = 0; ;) {
    const page = await rows.list(id, { state: 'ended', after, limit: ROWS_AT_ONCE });
    if (page.length === 0) return;
    after = page.at(-1)!.row;
    yield rowsText(page, columns, format);
  }
}

/** The first line of a CSV; JSON lines have none. Where rows are followed, each begins with its position. */
export function headerText(columns: readonly string[], format: RowsFormat, hasPosition = false): string {
  if (format === 'jsonl') return '';
  return stringify([
    [...(hasPosition ? ['position'] : []), 'row', 'state', 'sessionId', ...columns, 'reason', 'result'],
  ]);
}

/**
 * A row a line. A result is JSON in a CSV too, as it may be of any type; and no spreadsheet takes a text of a page for a
 * formula.
 */
export function rowsText(
  rows: readonly BatchRow[],
  columns: readonly string[],
  format: RowsFormat,
  hasPosition = false,
): string {
  return format === 'csv'
    ? stringify(rows.map((row) => [...(hasPosition ? [row.position] : []), ...csvRow(row, columns)]))
    : rows.map((row) => `${JSON.stringify(row)}\n`).join('');
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
