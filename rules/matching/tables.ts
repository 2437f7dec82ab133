import type { GridCell } from '../../contracts/browsers/page-snapshot';
import type { Reading } from '../language/description';
import { bestMatches, toFound, type Found } from './find';
import { levelOf, normal } from './name-match';
import { ancestors, isInside, itemsInside, type Item, type Page } from './page-index';
import { TO_SEE } from './purpose';

/** A cell at its place: one that takes up several rows or columns is in each of them. */
interface Cell extends GridCell {
  item: Item;
}

interface Table {
  item: Item;
  cells: Cell[];
  heads: Cell[];
  body: Cell[];
}

const CELL = /^(?:cell|gridcell|columnheader|rowheader)$/;
const TABLE = /^(?:table|grid|treegrid)$/;

/**
 * Finds "the Price of Trail Shoe": the cell in the column of one name and the row of the other. Undefined where no table
 * has both; `none` where the row has no cell there.
 */
export function findCell(page: Page, readings: readonly Reading[]): Found | undefined {
  const tables = page.items.filter(({ role }) => TABLE.test(role)).map((item) => readTable(page, item));
  for (const { name, near, role, ordinal } of readings) {
    if (name === undefined || near === undefined || role !== undefined || ordinal !== undefined) continue;
    const named = tables.flatMap((table) => {
      const columns = columnsNamed(table, name);
      const rows = rowsNear(page, table, near.landmark);
      return columns.length === 0 || rows.length === 0 ? [] : [{ table, columns, rows }];
    });
    if (named.length === 0) continue;
    const cells = named.flatMap(({ table, columns, rows }) =>
      table.body.filter(
        (cell) =>
          columns.some((at) => isIn(at, cell.column, cell.columns)) && rows.some((at) => isIn(at, cell.row, cell.rows)),
      ),
    );
    return toFound([...new Set(cells.map(({ item }) => item))]);
  }
  return undefined;
}

/** The cells below a heading. */
export function cellsUnder(page: Page, heading: Item): Item[] {
  const table = tableOf(heading);
  if (table === undefined) return [];
  const { heads, body } = readTable(page, table);
  const head = heads.find(({ item }) => item === heading);
  return head === undefined
    ? []
    : body.filter((cell) => isIn(cell.column, head.column, head.columns)).map(({ item }) => item);
}

/** The headings above a cell, from the top. */
export function headingsOf(page: Page, cell: Item): string[] {
  const table = tableOf(cell);
  if (table === undefined) return [];
  const { heads, body } = readTable(page, table);
  const at = body.find(({ item }) => item === cell);
  return at === undefined
    ? []
    : heads.filter((head) => isIn(at.column, head.column, head.columns)).map(({ item }) => item.label);
}

function readTable(page: Page, table: Item): Table {
  const rows = itemsInside(page, table).filter((item) => item.role === 'row' && tableOf(item) === table);
  const cells = rows.flatMap((row, at) => {
    const own = row.children.filter(({ role }) => CELL.test(role));
    return own.map((item, column): Cell => ({
      item,
      ...(item.node?.cell ?? { row: at, column, rows: 1, columns: 1 }),
    }));
  });
  const hasHeadings = cells.some(({ item }) => item.role === 'columnheader');
  const isHead = (row: number): boolean =>
    hasHeadings
      ? cells.filter((cell) => cell.row === row).every(({ item }) => item.role === 'columnheader')
      : row === cells[0]?.row;
  const headRows = new Set(rowsOf(cells).filter(isHead));
  const heads = cells.filter(({ row }) => headRows.has(row));
  return { item: table, cells, heads, body: cells.filter(({ row }) => !headRows.has(row)) };
}

const rowsOf = (cells: readonly Cell[]): number[] => [...new Set(cells.map(({ row }) => row))];
const isIn = (at: number, first: number, count: number): boolean => at >= first && at < first + count;

function tableOf(item: Item): Item | undefined {
  return [...ancestors(item)].find(({ role }) => TABLE.test(role));
}

/** Columns by their lowest heading, or by all above them: “Plan”, or “March Plan” where March stands over it. */
function columnsNamed({ heads }: Table, name: string): number[] {
  const columns = new Set(
    heads.flatMap(({ column, columns: count }) => Array.from({ length: count }, (_, at) => column + at)),
  );
  return [...columns].filter((column) => {
    const storeys = heads.filter((cell) => isIn(column, cell.column, cell.columns));
    const lowest = storeys.at(-1);
    if (lowest !== undefined && lowest.columns === 1 && levelOf(lowest.item, name) === 1) return true;
    return storeys.length > 1 && normal(storeys.map(({ item }) => item.label).join(' ')) === normal(name);
  });
}

/** The rows of a landmark: of a cell all that it takes up. “invoice 1004” is 1004 in the column Invoice too. */
function rowsNear(page: Page, table: Table, landmark: readonly Reading[]): number[] {
  const found = bestMatches(page, landmark, TO_SEE).filter((item) => isInside(item, table.item) && item !== table.item);
  const direct = table.body.filter(({ item }) =>
    found.some((each) => isInside(each, item) || (each.role === 'row' && item.parent === each)),
  );
  const cells = direct.length > 0 ? direct : landmark.flatMap(({ name = '' }) => cellsSaying(table, name));
  return cells.flatMap(({ row, rows }) => Array.from({ length: rows }, (_, at) => row + at));
}

function cellsSaying({ heads, body }: Table, name: string): Cell[] {
  const words = normal(name).split(' ');
  for (let at = 1; at < words.length; at += 1) {
    const [kind, value] = [words.slice(0, at).join(' '), words.slice(at).join(' ')];
    const columns = heads.filter(({ item }) => levelOf(item, kind) !== undefined);
    const said = body.filter(
      ({ item, column }) =>
        columns.some((head) => isIn(column, head.column, head.columns)) && (levelOf(item, value) ?? 9) <= 4,
    );
    if (said.length > 0) return said;
  }
  return [];
}
