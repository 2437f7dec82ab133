/** `rules` sort by the heading of a column until the column stands in the order that is asked for, or by a list of orders. */
import { followed } from '../../../../support/followed-steps';
import { control, deedsOn, type Node } from '../../../../support/rules-on-page';

const STOCK = [
  ['Cup', '7.50', '2026-03-01'],
  ['Bowl', '12.00', '2026-01-15'],
  ['Jug', '9.90', '2026-02-10'],
] as const;
const COLUMNS = ['Name', 'Price', 'Due'];

const isUp = (one: string, other: string): number =>
  Number.isNaN(Number(one)) ? one.localeCompare(other) : Number(one) - Number(other);

function table(rows: readonly (readonly string[])[]): Node[] {
  const row = (cells: readonly string[], at: number): Node =>
    ({
      role: 'row',
      ref: `row${at}`,
      children: cells.map((text, column) => ({ role: 'cell', ref: `cell${at}-${column}`, children: [text] })),
    }) as Node;
  const heads = COLUMNS.map((name) => ({
    role: 'columnheader',
    name,
    ref: `head ${name}`,
    children: [control('button', name, name)],
  }));
  return [
    {
      role: 'table',
      ref: 'stock',
      children: [{ role: 'row', ref: 'heads', children: heads }, ...rows.map(row)],
    } as Node,
  ];
}

/** A first click on a heading sorts up by its column, the next one down, as most pages do. */
function sorted(commands: readonly string[]): Node[] {
  const last = commands.at(-1)?.replace('CLICK_ELEMENT ', '');
  const column = COLUMNS.indexOf(last ?? '');
  const clicks = commands.length - commands.findLastIndex((command) => command !== commands.at(-1)) - 1;
  const rows = STOCK.toSorted((one, other) => isUp(one[column] ?? '', other[column] ?? ''));
  return table(column === -1 ? STOCK : clicks % 2 === 1 ? rows : rows.toReversed());
}

test.each([
  ['Sort by price, highest first', 2],
  ['Could you please sort the list by price, the cheapest on top?', 1],
  ['Sort the table by due date in descending order', 2],
  ['sort by due, newest first', 2],
  ['Sort the table after the price, the highest must be first', 2],
  ['Sort the items by name from Z to A, descending', 2],
  ['sort by price', 1],
])('a column is clicked until it stands as asked: %s', async (step, clicks) => {
  const { isDone, commands } = await followed(step, sorted);
  expect({ isDone, commands: commands.length }).toEqual({ isDone: true, commands: clicks });
  expect(new Set(commands).size).toBe(1);
});

test('a list whose order does not follow the column is not said to be sorted', async () => {
  const { isDone, message } = await followed('Sort by price, highest first', () => table(STOCK));
  expect(isDone).toBe(false);
  expect(message).toContain('nothing shows that the list is now sorted');
});

test.each(['Sort by weight', 'Sort the invoices of Ann by price', 'Sort the 2nd table by price'])(
  'nothing is clicked for a column or a list that is not there: %s',
  (step) => {
    expect(deedsOn(table(STOCK), step)).toEqual([]);
  },
);

const option = (name: string): Node => ({ role: 'option', name, children: [] }) as Node;
const ORDERS = control('combobox', 'Sort by', 'orders', {
  children: ['Newest', 'Price, lowest first', 'Price, highest first', 'Cheapest per litre'].map(option),
});

test.each([
  ['sort by price, highest first', 'SELECT_OPTION orders Price, highest first'],
  ['Sort the products by price, lowest at the top', 'SELECT_OPTION orders Price, lowest first'],
])('a list of orders is chosen from: %s', async (step, command) => {
  expect(await followed(step, () => [ORDERS])).toMatchObject({ isDone: true, commands: [command] });
});

test('between two orders by the same column it is asked', () => {
  expect(deedsOn([ORDERS], 'sort by price')).toEqual([]);
});
