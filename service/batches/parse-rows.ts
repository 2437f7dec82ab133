import {
  MAX_ROWS,
  type ParsedRow,
  type ParsedRows,
  type RowsFileFormat,
  type RowsFormat,
  type RowsInput,
} from '../../contracts/batches/rows-input';
import { VARIABLE_NAME } from '../../contracts/commands/definitions/reading';
import { bytesOf, isObject } from '../../contracts/json';
import { shortened } from '../../contracts/text';
import type { Store } from '../../store/store';
import { fromStore } from '../connection/store-errors';
import { invalid } from '../connection/invalid';
import type { ClientError } from '../port/port';
import { notFound } from '../rows/session-row';
import { CsvError, parseCsv } from './parse-csv';
import { readSheet, SheetError } from './read-sheet';

export const NOT_STARTED = 'The batch can not be started';
const MAX_ROW_BYTES = 64 * 1024;

/**
 * Parses the rows of a batch. What is wrong with one row is a problem of that row; throws ClientError for what is wrong with all
 * of them.
 */
export async function parseRows(store: Pick<Store, 'uploads'>, input: RowsInput): Promise<ParsedRows> {
  if (Array.isArray(input)) return checked(parseList(input));
  if ('csv' in input) return parseText(input.csv, 'csv');
  if ('jsonl' in input) return parseText(input.jsonl, 'jsonl');
  if ('xlsx' in input) return await parseXlsx(Buffer.from(input.xlsx, 'base64'), input.sheet);
  const file = await fromStore(() => store.uploads.get(input.file));
  if (file === null) throw notFound(`There is no uploaded file ${input.file}; it may have expired.`);
  const format = input.format ?? rowsFormatOf(file.name);
  const bytes = await store.uploads.read(file);
  if (format === 'xlsx') return await parseXlsx(bytes, input.sheet);
  return parseText(bytes.toString(), format);
}

async function parseXlsx(bytes: Uint8Array, sheet: string | undefined): Promise<ParsedRows> {
  try {
    return checked(await readSheet(bytes, sheet));
  } catch (error) {
    if (error instanceof SheetError) throw wrongRows(`the sheet can not be read: ${error.message}`);
    throw error;
  }
}

/** The format of a file, by its name. */
export function rowsFormatOf(name: string): RowsFileFormat {
  if (/\.(xlsx|xlsm|xls|ods|numbers)$/i.test(name)) return 'xlsx';
  return /\.(jsonl|ndjson|json)$/i.test(name) ? 'jsonl' : 'csv';
}

function parseText(text: string, format: RowsFormat): ParsedRows {
  if (format === 'jsonl') return checked(parseList(lines(text).map(parseLine)));
  try {
    return checked(parseCsv(text));
  } catch (error) {
    if (error instanceof CsvError) throw wrongRows(`the CSV can not be read: ${error.message}`);
    throw error;
  }
}

/** Neither JSON nor a value: what the line of a file holds. */
class UnreadableLine {
  constructor(readonly problem: string) {}
}

function lines(text: string): { line: string; number: number }[] {
  return text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .map((line, index) => ({ line, number: index + 1 }))
    .filter(({ line }) => line.trim() !== '');
}

function parseLine({ line, number }: { line: string; number: number }): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return new UnreadableLine(`Line ${number} is no JSON object: ${shortened(line.trim(), 80)}`);
  }
}

function parseList(values: readonly unknown[]): ParsedRows {
  const rows = values.map(toRow);
  return { columns: [...new Set(rows.flatMap(({ variables }) => Object.keys(variables)))], rows };
}

function toRow(value: unknown): ParsedRow {
  if (value instanceof UnreadableLine) return { variables: {}, problem: value.problem };
  if (!isObject(value))
    return {
      variables: {},
      problem: `Expected an object such as {"invoice": "4711"}, got ${shortened(JSON.stringify(value) ?? 'nothing', 80)}.`,
    };
  const entries = Object.entries(value);
  const wrong = entries.find(([, each]) => typeof each === 'object' && each !== null);
  const variables = Object.fromEntries(
    entries
      .filter(([, each]) => typeof each !== 'object')
      .map(([name, each]) => [name, String(each as string | number | boolean)]),
  );
  if (wrong === undefined) return { variables };
  const kind = Array.isArray(wrong[1]) ? 'a list' : 'an object';
  return { variables, problem: `${wrong[0]} is ${kind}, and a variable is a text, a number, true or false.` };
}

function checked({ columns, rows }: ParsedRows): ParsedRows {
  const wrong = columns.find((name) => !VARIABLE_NAME.test(name));
  if (wrong !== undefined)
    throw wrongRows(
      `${JSON.stringify(wrong)} is no name of a variable: it has letters, digits and _, and starts with no digit`,
    );
  const twice = columns.find((name, index) => columns.indexOf(name) !== index);
  if (twice !== undefined) throw wrongRows(`two columns have the name ${twice}`);
  if (rows.length === 0)
    throw wrongRows('there are none: the first line of a CSV names the variables, and each further one is a row');
  if (rows.length > MAX_ROWS)
    throw wrongRows(`there are ${rows.length}, and a batch takes at most ${MAX_ROWS}; split them`);
  return { columns, rows: rows.map(withinLimits) };
}

function withinLimits(row: ParsedRow): ParsedRow {
  const bytes = bytesOf(row.variables);
  if (bytes > MAX_ROW_BYTES)
    return { variables: {}, problem: `The row takes ${bytes} bytes as JSON, and at most ${MAX_ROW_BYTES} are taken.` };
  const [name] = Object.entries(row.variables).find(([, value]) => value.includes('\0')) ?? [];
  return name === undefined || row.problem !== undefined
    ? row
    : { ...row, problem: `The variable ${name} has a null character in it.` };
}

export function wrongRows(message: string): ClientError {
  return invalid(NOT_STARTED, [{ path: 'rows', message }]);
}
