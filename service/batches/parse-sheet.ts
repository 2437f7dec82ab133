import { readXlsx, type Cell, type CellValue, type Sheet } from 'hucre/xlsx';
import { format } from 'numfmt';
import { MAX_ROWS, type ParsedRow, type ParsedRows } from '../../contracts/batches/rows-input';
import { shortened } from '../../contracts/text';

/** What is wrong with a whole sheet. */
class SheetError extends Error {}

export type SheetAnswer = { kind: 'rows'; parsed: ParsedRows } | { kind: 'problem'; message: string };

/** Of 1970-01-01 in the days of a spreadsheet. */
const EPOCH_DAYS = 25_569;
const DAY_MS = 86_400_000;
/** Formats of dates that each spreadsheet shows in the way of its country. */
const LOCAL_DATES: Readonly<Record<string, string>> = {
  'mm-dd-yy': 'yyyy-mm-dd',
  'm/d/yy': 'yyyy-mm-dd',
  'm/d/yyyy': 'yyyy-mm-dd',
  'm/d/yy h:mm': 'yyyy-mm-dd hh:mm',
  'm/d/yyyy h:mm': 'yyyy-mm-dd hh:mm',
};
const GENERAL_DIGITS = 15;

/**
 * Parses a sheet of an .xlsx file: the first that is not hidden, or the one of this name. Its first row with values names the
 * variables, and numbers and dates are texts as the sheet shows them.
 */
export async function parseSheet({ bytes, name }: { bytes: Uint8Array; name?: string }): Promise<SheetAnswer> {
  try {
    return { kind: 'rows', parsed: toRows(await readSheet(bytes, name)) };
  } catch (error) {
    if (error instanceof SheetError) return { kind: 'problem', message: error.message };
    throw error;
  }
}

function toRows(sheet: Sheet): ParsedRows {
  const rows = sheet.rows.map((values, row) => ({
    number: row + 1,
    texts: values.map((value, column) => textOf(value, sheet.cells?.get(`${row},${column}`))),
  }));
  const [header, ...others] = rows.filter(({ texts }) => texts.some((text) => text.trim() !== ''));
  const names = (header?.texts ?? []).map((text) => text.trim());
  const used = names.map((each, column) => each !== '' || others.some(({ texts }) => (texts[column] ?? '') !== ''));
  const unnamed = names.findIndex((each, column) => used[column] && each === '');
  if (unnamed >= 0) throw new SheetError(`column ${columnName(unnamed)} has values and no name in its first row`);
  return {
    columns: names.filter((_, column) => used[column]),
    rows: others.map(({ number, texts }) => toRow(sheet, names, number, texts)),
  };
}

async function readSheet(bytes: Uint8Array, wanted: string | undefined): Promise<Sheet> {
  const names: string[] = [];
  const { sheets } = await readXlsx(bytes, {
    readStyles: true,
    // The names of the variables, and one more than is taken, so that too many are noticed.
    maxRows: MAX_ROWS + 2,
    sheets: ({ name, hidden, veryHidden }) => {
      const isShown = hidden !== true && veryHidden !== true;
      if (isShown) names.push(name);
      return wanted === undefined ? isShown && names.length === 1 : name === wanted;
    },
  }).catch((error: unknown) => {
    throw new SheetError(problemOf(error as Error));
  });
  const [sheet] = sheets;
  if (sheet !== undefined) return sheet;
  throw new SheetError(`there is no sheet ${JSON.stringify(wanted ?? '')}; the file has ${names.join(', ')}`);
}

function problemOf({ name, message }: Error): string {
  if (name === 'EncryptedFileError')
    return 'it has a password, or is an old .xls file; save it as .xlsx without a password';
  if (name === 'ZipError') return 'it is no .xlsx file, or only a part of one; save it as .xlsx';
  // Its message names options of the library.
  if (message.includes('maxRows'))
    return 'its values stand too far apart; remove those beyond the rows, or save them as a CSV';
  return message;
}

function toRow({ cells }: Sheet, names: readonly string[], number: number, texts: readonly string[]): ParsedRow {
  const named = [...names.entries()].filter(([, name]) => name !== '');
  const variables = Object.fromEntries(named.map(([column, name]) => [name, texts[column] ?? '']));
  const beyond = texts.findIndex((text, column) => column >= names.length && text !== '');
  if (beyond >= 0)
    return { variables, problem: `Row ${number} has a value in column ${columnName(beyond)}, which has no name.` };
  for (const [column, name] of named) {
    const cell = cells?.get(`${number - 1},${column}`);
    if (cell?.type === 'error')
      return { variables, problem: `Row ${number}: ${name} is ${texts[column]}, an error of its formula.` };
    if (cell?.formula !== undefined && cell.value === null)
      return {
        variables,
        problem: `Row ${number}: ${name} is a formula that nothing has computed; open the file in a spreadsheet and save it.`,
      };
  }
  return { variables };
}

/** As the sheet shows it. */
function textOf(value: CellValue, cell: Cell | undefined): string {
  const pattern = cell?.style?.numFmt ?? 'General';
  if (value === null) return '';
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return String(value).toUpperCase();
  const number = value instanceof Date ? value.getTime() / DAY_MS + EPOCH_DAYS : value;
  if (pattern === 'General') return generalText(number);
  return formatted(LOCAL_DATES[pattern] ?? pattern, number);
}

function formatted(pattern: string, number: number): string {
  try {
    return format(pattern, number).trim();
  } catch {
    throw new SheetError(`it has a format of numbers that is none: ${shortened(pattern, 80)}; choose another one`);
  }
}

/** All digits: a sheet shows those of a long number only where its column is wide. */
function generalText(number: number): string {
  return String(Number(number.toPrecision(GENERAL_DIGITS)));
}

/** `A`, `B`, … `Z`, `AA`. */
function columnName(column: number): string {
  const last = String.fromCharCode(65 + (column % 26));
  return column < 26 ? last : columnName(Math.floor(column / 26) - 1) + last;
}
