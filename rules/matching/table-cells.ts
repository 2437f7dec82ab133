import type { GridCell } from '../../contracts/browsers/page-snapshot';
import { ancestors, itemsInside, type Item, type Page } from './page-index';

/** A cell at its place: one that takes up several rows or columns is in each of them. */
export interface Cell extends GridCell {
  item: Item;
}

export interface Table {
  item: Item;
  cells: Cell[];
  heads: Cell[];
  body: Cell[];
}

const CELL = /^(?:cell|gridcell|columnheader|rowheader)$/;
export const TABLE = /^(?:table|grid|treegrid)$/;

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

export function readTable(page: Page, table: Item): Table {
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
export const isIn = (at: number, first: number, count: number): boolean => at >= first && at < first + count;

function tableOf(item: Item): Item | undefined {
  return [...ancestors(item)].find(({ role }) => TABLE.test(role));
}
