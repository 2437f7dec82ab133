/** What two visits of a page have to say alike for a task to be repeated. */
import type { PageNode, PageSnapshot } from '../../../contracts/browsers/page-snapshot';
import { readingOf } from '../../../activities/engine/recipes/reading';

function aPage(nodes: (PageNode | string)[], more: Partial<PageSnapshot> = {}): PageSnapshot {
  return { snapshotId: 's', url: 'https://shop.test/cart/17', title: 'Cart', tabs: [], nodes, ...more };
}

const read = (snapshot: PageSnapshot, values: [string, string][] = []): string => readingOf(snapshot, new Map(values));
const price: PageNode = { role: 'paragraph', text: 'Tea, 4 euros' };

test.each<[string, PageSnapshot]>([
  ['numbers of elements', aPage([{ ...price, ref: 'e7' }])],
  ['what is new, and where the focus is', aPage([{ ...price, since: 'new', active: true }])],
  ['numbers in the address', aPage([price], { url: 'https://shop.test/cart/18?from=mail' })],
])('%s are no part of what a page says', (_, other) => {
  expect(read(other)).toBe(read(aPage([price])));
});

test.each<[string, PageSnapshot]>([
  ['a number of a text', aPage([{ ...price, text: 'Tea, 5 euros' }])],
  ['what is chosen', aPage([{ ...price, checked: true }])],
  ['the value of a field', aPage([{ ...price, value: '2' }])],
  ['the order', aPage(['more', price])],
  ['the title', aPage([price], { title: 'Order' })],
])('%s is part of it', (_, other) => {
  expect(read(other)).not.toBe(read(aPage([price])));
});

test('the value of a variable counts as its name, in a text or as all of it', () => {
  const page = (value: string): PageSnapshot =>
    aPage([{ role: 'textbox', name: 'Email', text: value }, `Hello ${value}.`]);
  expect(read(page('ada@example.com'), [['email', 'ada@example.com']])).toBe(
    read(page('grace@example.org'), [['email', 'grace@example.org']]),
  );
});

test('a short value counts only where it is all of a text', () => {
  const page = (count: string): PageSnapshot => aPage([{ role: 'textbox', text: count }, `${count} of 20`]);
  expect(read(page('2'), [['count', '2']])).not.toBe(read(page('3'), [['count', '3']]));
});
