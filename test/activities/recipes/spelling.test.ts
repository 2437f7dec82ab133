/** What of a step may be in a recipe: words of the step, names of variables, patterns of addresses. */
import { choiceDigest } from '../../../activities/engine/recipes/sighting';
import { markPlaces } from '../../../activities/engine/recipes/marks';
import { holdsValue, isGivenByStep } from '../../../activities/engine/recipes/spelling';
import type { PageNode, PageSnapshot } from '../../../contracts/browsers/page-snapshot';
import { toPagePattern, toTextPattern } from '../../../contracts/recipes/page-pattern';

test.each([
  ['https://shop.test/orders/4711?page=2#top', 'https://shop.test/orders/:number'],
  ['https://shop.test/', 'https://shop.test'],
  ['https://shop.test/orders/SF-1001/', 'https://shop.test/orders/SF-#'],
  ['https://shop.test/u/9b2c1d0e-aaaa-4bbb-8ccc-0123456789ab/edit', 'https://shop.test/u/:id/edit'],
  ['https://shop.test/people/ada', 'https://shop.test/people/:user'],
  ['about:blank', 'about:blank'],
])('the pattern of %s is %s', (address, pattern) => {
  expect(toPagePattern(address, new Map([['user', 'ada']]))).toBe(pattern);
});

test('numbers of a text are no part of its pattern', () => {
  expect(toTextPattern(' Order 4711\n placed ')).toBe('Order # placed');
});

test('a text that a command types stands in the step, or is a variable by its name', () => {
  const type = (text: string) => ({ action: 'INPUT_TEXT' as const, parameters: { selector: 'x', text } });
  const step = 'Type “Ada Lovelace” into Name and ${email} into E-mail';
  for (const text of ['Ada Lovelace', 'ada lovelace', '${email}']) expect(isGivenByStep(step, type(text))).toBe(true);
  for (const text of ['SF-1001', 'ada@shop.test', '${email}.org']) expect(isGivenByStep(step, type(text))).toBe(false);
});

test('an address that is opened stands in the step, with or without its last slash', () => {
  const open = (url: string) => ({ action: 'OPEN_PAGE' as const, parameters: { url } });
  expect(isGivenByStep('Open https://shop.test', open('https://shop.test/'))).toBe(true);
  expect(isGivenByStep('Open the shop', open('https://shop.test/'))).toBe(false);
});

test('the value of a variable is found at the beginning of a word, unless the step itself says it', () => {
  const values = new Map([
    ['user', 'ada'],
    ['size', 'M'],
    ['shop', 'https://shop.test'],
  ]);
  expect(holdsValue('Hello ada!', values, '')).toBe(true);
  expect(holdsValue('M', values, '')).toBe(true);
  for (const text of ['Canada', 'Menu', 'https://shop.test/cart']) expect(holdsValue(text, values, '')).toBe(false);
  expect(holdsValue('Hello ada!', values, 'Type ada into Name')).toBe(false);
});

const tea = (name: string, price: string, ref: string): PageNode => ({
  role: 'listitem',
  children: [
    { role: 'link', name, ref },
    { role: 'generic', text: price },
  ],
});
const list = (...items: PageNode[]): PageSnapshot => ({
  snapshotId: 's',
  url: 'https://shop.test/',
  title: '',
  tabs: [],
  nodes: [{ role: 'list', children: items }],
});
const digest = (page: PageSnapshot, step: string) =>
  choiceDigest(
    page,
    step,
    markPlaces(page).find(({ node }) => node.ref === 'e1')!,
  );

test('what a step names is found by its words; what it chose by the page depends on the whole page', () => {
  const page = list(tea('Green tea', '4', 'e1'), tea('Black tea', '5', 'e2'));
  expect(digest(page, 'Click “Green tea”')).toBeUndefined();
  const chosen = digest(page, 'Open the cheapest tea');
  expect(chosen).toMatch(/^[0-9a-f]{16}$/);
  const later = list(tea('Green tea', '4', 'e1'), tea('Black tea', '3', 'e2'));
  expect(digest(later, 'Open the cheapest tea')).not.toBe(chosen);
});
