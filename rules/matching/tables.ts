import type { Reading } from '../language/description';
import { bestMatches, toFound, type Found } from './find';
import { levelOf, normal } from './name-match';
import { isInside, type Page } from './page-index';
import { isIn, readTable, TABLE, type Cell, type Table } from './table-cells';
import { TO_SEE } from './purpose';

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

const ROW = /^(?:row|line|item|entry|record)s?$/i;

/** The rows of a landmark: of a cell all that it takes up. “invoice 1004” is 1004 in the column Invoice too. */
function rowsNear(page: Page, table: Table, landmark: readonly Reading[]): number[] {
  // “the SKU of the last item”
  const counted = landmark.find(
    ({ name, role, ordinal }) => ordinal !== undefined && ROW.test(name ?? role?.word ?? ''),
  );
  if (counted !== undefined) {
    const rows = [...new Set(table.body.map(({ row }) => row))];
    const row = counted.ordinal === -1 ? rows.at(-1) : rows[counted.ordinal! - 1];
    return row === undefined ? [] : [row];
  }
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
