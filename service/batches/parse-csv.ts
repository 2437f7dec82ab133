import { CsvError, parse, type Info } from 'csv-parse/sync';
import type { ParsedRow, ParsedRows } from '../../contracts/batches/rows-input';

const DELIMITERS = [',', ';', '\t'];

/**
 * Parses a CSV file, whose first line names the variables. Commas, semicolons and tabs separate; the first line says which. A line
 * with too many or too few values is a row with a problem. An unclosed quote is thrown as a CsvError: it takes all lines after it.
 */
export function parseCsv(text: string): ParsedRows {
  const [header, ...records] = parse(text, {
    bom: true,
    info: true,
    skip_empty_lines: true,
    relax_column_count: true,
    relax_quotes: true,
    delimiter: delimiterOf(text),
  }) as unknown as { record: string[]; info: Info }[];
  const columns = (header?.record ?? []).map((name) => name.trim());
  return { columns, rows: records.map(({ record, info }) => toRow(columns, record, info.lines)) };
}

export { CsvError };

function toRow(columns: readonly string[], values: readonly string[], line: number): ParsedRow {
  const variables = Object.fromEntries(columns.map((name, index) => [name, values[index] ?? '']));
  if (values.length === columns.length) return { variables };
  const found = values.length === 1 ? '1 value' : `${values.length} values`;
  return { variables, problem: `Line ${line} has ${found}, and the first line names ${columns.length}.` };
}

/** The one that the first line has most of. */
function delimiterOf(text: string): string {
  const [line = ''] = text.split(/\r?\n/, 1);
  const counts = DELIMITERS.map((delimiter) => line.split(delimiter).length);
  return DELIMITERS[counts.indexOf(Math.max(...counts))]!;
}
