/** A step that names an element is not done with another one, while the named one is on the page. */
import { namedInstead } from '../../../activities/engine/recipes/named-instead';
import { targetOfRef } from '../../../activities/engine/recipes/marks';
import type { PageNode, PageSnapshot } from '../../../contracts/browsers/page-snapshot';

const button = (name: string, ref: string): PageNode => ({ role: 'button', name, ref });
const row = (text: string, ...cells: PageNode[]): PageNode => ({
  role: 'row',
  children: [{ role: 'cell', text }, ...cells],
});

function instead(instruction: string, ...nodes: PageNode[]): string[] {
  const page: PageSnapshot = { snapshotId: 's', url: 'https://shop.test/', title: 'Shop', tabs: [], nodes };
  return namedInstead(page, instruction, 'CLICK_ELEMENT', targetOfRef(page, 'e1')!.place);
}

test.each<[string, string, string[], PageNode[]]>([
  ['a quoted name', 'Please press "Buy now" for me', ['Buy now'], [button('Subscribe', 'e1'), button('Buy now', 'e2')]],
  ['a name without quotes', 'Click Buy now', ['Buy now'], [button('Subscribe', 'e1'), button('buy now', 'e2')]],
  ['its own name', 'Click "Buy"', [], [button('Buy now', 'e1'), button('Buy', 'e2')]],
  [
    'its row',
    'Click Delete next to "Red tent"',
    [],
    [row('Red tent', button('Remove', 'e1')), button('Red tent', 'e2')],
  ],
  ['no element of the page', 'Click "Kaufen"', [], [button('Subscribe', 'e1'), button('Buy', 'e2')]],
  ['no element at all', 'Finish the purchase for Ada', [], [button('Confirm', 'e1'), button('Cancel', 'e2')]],
])('a step that says %s', (_, instruction, others, nodes) => {
  const found = instead(instruction, ...nodes).map((name) => name.toLowerCase());
  expect(found).toEqual(others.map((name) => name.toLowerCase()));
});
