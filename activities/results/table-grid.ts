import type { GridCell } from '../../contracts/browsers/page-snapshot';

/**
 * The place of each cell of a table, counted from 0, with the rows and columns that it takes up. Runs in the page, so it
 * uses nothing from outside itself.
 */
export function readGrid(table: Element): Map<Element, GridCell> {
  const TABLES = 'table, [role=table], [role=grid], [role=treegrid]';
  const CELLS = ['th', 'td', '[role=cell]', '[role=gridcell]', '[role=columnheader]', '[role=rowheader]'];
  const count = (cell: Element, name: 'rowSpan' | 'colSpan', attribute: string): number =>
    cell instanceof HTMLTableCellElement ? cell[name] : Number(cell.getAttribute(attribute)) || 1;
  const cells = new Map<Element, GridCell>();
  /** By column the first row that no cell from above takes up. */
  let freeFrom: number[] = [];
  let group: Element | null = null;
  const rows = [...table.querySelectorAll('tr, [role=row]')].filter(
    (row) => row.parentElement?.closest(TABLES) === table,
  );
  const sizes = new Map<Element | null, number>();
  for (const { parentElement } of rows) sizes.set(parentElement, (sizes.get(parentElement) ?? 0) + 1);
  let left = 0;
  for (const [at, row] of rows.entries()) {
    // A cell takes up no row of the next head, body or foot.
    if (row.parentElement !== group) {
      group = row.parentElement;
      freeFrom = [];
      left = sizes.get(group) ?? 0;
    } else left -= 1;
    let column = 0;
    for (const cell of row.querySelectorAll(CELLS.map((each) => `:scope > ${each}`).join())) {
      const index = Number(cell.getAttribute('aria-colindex'));
      if (index > 0) column = index - 1;
      else while ((freeFrom[column] ?? 0) > at) column += 1;
      const columns = Math.min(1000, count(cell, 'colSpan', 'aria-colspan'));
      // 0 stands for all that are left.
      const rowsTaken = Math.min(count(cell, 'rowSpan', 'aria-rowspan') || left, left);
      cells.set(cell, { row: at, column, rows: rowsTaken, columns });
      for (let next = column; next < column + columns; next += 1) freeFrom[next] = at + rowsTaken;
      column += columns;
    }
  }
  return cells;
}
