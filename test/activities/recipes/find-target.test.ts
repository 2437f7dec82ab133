/** The element of a recipe is found where it is certain, by its other marks where they decide, and else not at all. */
import { findRecipeTarget } from '../../../activities/engine/recipes/find-target';
import { targetOfRef } from '../../../activities/engine/recipes/marks';
import type { PageNode, PageSnapshot } from '../../../contracts/browsers/page-snapshot';
import type { RecipeTarget } from '../../../contracts/recipes/recipe';

function aPage(...nodes: PageNode[]): PageSnapshot {
  return {
    snapshotId: 's',
    url: 'https://shop.test/',
    title: 'Shop',
    tabs: [],
    nodes: [{ role: 'main', children: nodes }],
  };
}

const button = (name: string, ref: string): PageNode => ({ role: 'button', name, ref });
const row = (text: string, ...cells: PageNode[]): PageNode => ({
  role: 'row',
  children: [{ role: 'cell', text }, ...cells],
});

function learnt(page: PageSnapshot, ref: string): RecipeTarget {
  return targetOfRef(page, ref)!.target;
}

const bean = row('Bean 4.00', button('Add', 'e1'));
const leaf = row('Leaf 5.00', button('Add', 'e2'));

test('an element that stands where it stood is found', () => {
  const page = aPage(button('Pay', 'e1'), button('Back', 'e2'));
  const later = aPage(button('Back', 'e7'), button('Pay', 'e8'));
  expect(findRecipeTarget(later, learnt(page, 'e1'))).toMatchObject({ kind: 'found', ref: 'e8' });
});

test('of equal elements in rows that have changed places, the one in the same row is taken', () => {
  const target = learnt(aPage(bean, leaf), 'e2');
  expect(target).toMatchObject({ nth: 1, of: 2, item: 'Leaf 5.00' });
  expect(findRecipeTarget(aPage(leaf, bean), target)).toMatchObject({
    kind: 'healed',
    ref: 'e2',
    target: { nth: 0, of: 2 },
  });
});

test.each<[string, PageSnapshot]>([
  ['a row that says something else', aPage(bean, row('Leaf 9.00', button('Add', 'e2')))],
  ['two rows that say the same', aPage(leaf, row('Leaf 5.00', button('Add', 'e3')))],
  ['a further row', aPage(bean, leaf, row('Rice 1.00', button('Add', 'e3')))],
  ['a row that is gone', aPage(bean)],
])('%s is a page on which none of them is taken', (_, page) => {
  expect(findRecipeTarget(page, learnt(aPage(bean, leaf), 'e2'))).toMatchObject({ kind: 'unsure' });
});

test('an element that is there twice, gone or renamed is not taken without an attribute', () => {
  const target = learnt(aPage(button('Pay', 'e1')), 'e1');
  const double = findRecipeTarget(aPage(button('Pay', 'e1'), button('Pay', 'e2')), target);
  expect(double).toEqual({
    kind: 'unsure',
    why: 'there are 2 of the button “Pay” in place of 1',
    isAbsent: false,
  });
  for (const page of [aPage(button('Back', 'e2')), aPage(button('Pay now', 'e1'))])
    expect(findRecipeTarget(page, target)).toEqual({ kind: 'unsure', why: 'there is no button “Pay”', isAbsent: true });
});

test('the only element in a row is not taken once the row is about something else', () => {
  expect(findRecipeTarget(aPage(leaf), learnt(aPage(bean), 'e1'))).toMatchObject({
    kind: 'unsure',
    why: 'what stands around the button “Add” reads differently',
  });
});

const pay = (name: string, ref: string, id?: string): PageNode => ({
  ...button(name, ref),
  ...(id === undefined ? {} : { attributes: { 'data-testid': id } }),
});

test('an element under a new name, or among its doubles, is taken by an attribute that only it has', () => {
  const target = learnt(aPage(pay('Pay', 'e1', 'pay')), 'e1');
  expect(findRecipeTarget(aPage(pay('Pay now', 'e1', 'pay')), target)).toMatchObject({ kind: 'healed', ref: 'e1' });
  const doubled = aPage(pay('Pay', 'e1'), pay('Pay', 'e2', 'pay'));
  expect(findRecipeTarget(doubled, target)).toMatchObject({ kind: 'healed', ref: 'e2', target: { nth: 1, of: 2 } });
});

test.each<[string, PageSnapshot]>([
  ['has taken its name under another attribute', aPage(pay('Pay', 'e1', 'donate'))],
  ['has its attribute twice', aPage(pay('Pay now', 'e1', 'pay'), pay('Pay later', 'e2', 'pay'))],
  [
    'has its attribute, another name and another place',
    aPage({ role: 'dialog', name: 'Donate', children: [pay('Give', 'e1', 'pay')] }),
  ],
  [
    'has its attribute while the old name is another’s',
    aPage(pay('Pay', 'e1', 'donate'), pay('Pay', 'e3'), pay('Later', 'e2', 'pay')),
  ],
])('an element is not taken that %s', (_, page) => {
  expect(findRecipeTarget(page, learnt(aPage(pay('Pay', 'e1', 'pay')), 'e1'))).toMatchObject({ kind: 'unsure' });
});

test.each<[string, Partial<PageNode>, Partial<PageNode>]>([
  ['link', { url: 'https://shop.test/orders/17' }, { url: 'https://shop.test/orders/17/cancel' }],
  [
    'button',
    { attributes: { submits: 'POST https://shop.test/orders' } },
    { attributes: { submits: 'POST https://shop.test/subscriptions' } },
  ],
])(
  'a %s that reads the same and leads elsewhere is not taken, also under its stable attribute',
  (role, before, now) => {
    const page = (what: Partial<PageNode>, name = 'Next') => aPage({ role, name, ref: 'e1', ...what });
    const target = learnt(page(before), 'e1');
    expect(findRecipeTarget(page(before), target)).toMatchObject({ kind: 'found' });
    const changed = findRecipeTarget(page(now), target);
    expect(changed).toMatchObject({ kind: 'unsure', isAbsent: false });
    const identified = (what: Partial<PageNode>): Partial<PageNode> => ({
      ...what,
      attributes: { ...what.attributes, id: 'next' },
    });
    const other = findRecipeTarget(page(identified(now), 'Go'), learnt(page(identified(before)), 'e1'));
    expect(other).toMatchObject({ kind: 'unsure' });
  },
);

test('a link whose address differs in numbers alone leads to the same place', () => {
  const page = (id: number) => aPage({ role: 'link', name: 'Order', ref: 'e1', url: `https://shop.test/orders/${id}` });
  expect(findRecipeTarget(page(18), learnt(page(17), 'e1'))).toMatchObject({ kind: 'found' });
});
