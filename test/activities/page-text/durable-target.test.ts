import { durableTarget, refIn, selectorText } from '../../../rules/page-text/durable-target';
import type { PageSnapshot, PageNode } from '../../../contracts/browsers/page-snapshot';

function aSnapshot(...nodes: (PageNode | string)[]): PageSnapshot {
  return { snapshotId: 'l', url: 'https://shop.test/', title: 'Shop', tabs: [], nodes };
}

function selectorOf(look: PageSnapshot, ref: string): string | undefined {
  const target = durableTarget(look, ref);
  return target && selectorText(target);
}

const ENTER = ' >> internal:control=enter-frame >> ';
const button = (name: string, ref: string): PageNode => ({ role: 'button', name, ref });

test('an element is selected by its role and its exact name', () => {
  const look = aSnapshot({ role: 'main', children: ['Hello', button('Buy', 'e3')] });
  expect(durableTarget(look, 'e3')).toEqual({
    selector: 'role=button[name="Buy"s]',
    role: 'button',
    name: 'Buy',
    nth: 0,
    of: 1,
  });
  expect(selectorOf(look, 'e3')).toBe('role=button[name="Buy"s]');
});

test('among equal elements the position in the document is part of the selector', () => {
  const look = aSnapshot(button('Buy', 'e1'), button('Sell', 'e2'), { role: 'list', children: [button('Buy', 'e3')] });
  expect(durableTarget(look, 'e3')).toMatchObject({ nth: 1, of: 2 });
  expect(selectorOf(look, 'e1')).toBe('role=button[name="Buy"s] >> nth=0');
  expect(selectorOf(look, 'e3')).toBe('role=button[name="Buy"s] >> nth=1');
  expect(selectorOf(look, 'e2')).toBe('role=button[name="Sell"s]');
});

test('an element without a name is the nth of its role, counting those with names', () => {
  const look = aSnapshot(button('Buy', 'e1'), { role: 'button', ref: 'e2' }, { role: 'button', name: '', ref: 'e3' });
  expect(selectorOf(look, 'e2')).toBe('role=button >> nth=1');
  expect(selectorOf(look, 'e3')).toBe('role=button >> nth=2');
});

test('a field without a name is selected by its placeholder', () => {
  const look = aSnapshot(
    { role: 'textbox', placeholder: 'Search "all"', ref: 'e1' },
    { role: 'textbox', name: 'Search "all"', ref: 'e2' },
  );
  expect(selectorOf(look, 'e1')).toBe('[placeholder="Search \\"all\\""]');
  expect(durableTarget(look, 'e1')?.name).toBe('Search "all"');
});

test('quotes and backslashes of a name are kept', () => {
  const look = aSnapshot(button('Say "hi" \\ bye', 'e1'));
  expect(selectorOf(look, 'e1')).toBe('role=button[name="Say \\"hi\\" \\\\ bye"s]');
});

test('an element that no role selector matches is selected by its text', () => {
  const look = aSnapshot(
    { role: 'generic', ref: 'e1', children: ['  Sold out ', button('x', 'e2')] },
    { role: 'generic', ref: 'e3' },
  );
  expect(selectorOf(look, 'e1')).toBe('text="Sold out"');
  expect(durableTarget(look, 'e3')).toBeUndefined();
});

test('an equal hidden element does not count, because role selectors do not match it', () => {
  const look = aSnapshot({ ...button('Buy', 'e1'), ariaHidden: true }, button('Buy', 'e2'));
  expect(selectorOf(look, 'e2')).toBe('role=button[name="Buy"s]');
});

test('frames are entered one after the other, each by its index in its document', () => {
  const inner: PageNode = { role: 'iframe', ref: 'f1e9', children: [button('Pay', 'f3e1')] };
  const look = aSnapshot(
    button('Pay', 'e1'),
    { role: 'iframe', ref: 'e2', children: [{ role: 'iframe', ref: 'f9e1', children: [] }] },
    { role: 'iframe', ref: 'e3', children: [button('Pay', 'f1e1'), { role: 'iframe', ref: 'f1e8' }, inner] },
  );
  expect(selectorOf(look, 'e1')).toBe('role=button[name="Pay"s]');
  expect(selectorOf(look, 'f1e1')).toBe(`iframe >> nth=1${ENTER}role=button[name="Pay"s]`);
  expect(selectorOf(look, 'f3e1')).toBe(`iframe >> nth=1${ENTER}iframe >> nth=1${ENTER}role=button[name="Pay"s]`);
});

test('a ref that the snapshot does not contain has no target', () => {
  expect(durableTarget(aSnapshot(button('Buy', 'e1')), 'e2')).toBeUndefined();
});

test.each([
  ['e12', 'e12'],
  ['ref=e12', 'e12'],
  ['aria-ref=f1e3', 'f1e3'],
  [' ref=f1e3 ', 'f1e3'],
  ['#e12', undefined],
  ['text=e12', undefined],
  ['e12 >> nth=0', undefined],
])('%j is read as the ref %s', (selector, ref) => {
  expect(refIn(selector)).toBe(ref);
});
