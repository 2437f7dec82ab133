import { placeWords } from '../../../rules/page-text/place-words';
import { walkNodes, type PageNode } from '../../../contracts/browsers/page-snapshot';

let refs = 0;
const aNode = (role: string, name: string | undefined, children?: (PageNode | string)[]): PageNode => ({
  role,
  ref: `e${(refs += 1)}`,
  ...(name === undefined ? {} : { name }),
  ...(children === undefined ? {} : { children }),
});
const wordsOf = (nodes: PageNode[], name: string): (string | undefined)[] => {
  const places = placeWords(nodes);
  return [...walkNodes(nodes)].filter(({ node }) => node.name === name).map(({ node }) => places.get(node)?.words);
};

test('twenty equal buttons are distinguished by the other cells of their rows', () => {
  const rows = Array.from({ length: 20 }, (_, index) =>
    aNode('row', undefined, [
      { role: 'cell', ref: `c${index}`, text: `Bean ${index}` },
      { role: 'cell', ref: `p${index}`, text: `${index}.00 EUR` },
      aNode('cell', undefined, [aNode('button', 'Remove')]),
    ]),
  );
  const words = wordsOf([aNode('table', 'Cart', rows)], 'Remove');
  expect(new Set(words).size).toBe(20);
  expect(words[7]).toBe('Bean 7 | 7.00 EUR');
});

test('by the heading of a card without a role, and by the name of a fieldset', () => {
  const card = (plan: string) =>
    aNode('generic', undefined, [
      aNode('heading', plan),
      { role: 'paragraph', text: 'For you' },
      aNode('button', 'Choose'),
    ]);
  const group = (name: string) => aNode('group', name, [aNode('textbox', 'Street')]);
  const nodes = [aNode('main', undefined, [card('Basic'), card('Pro')]), group('Billing'), group('Shipping')];
  expect(wordsOf(nodes, 'Choose')).toEqual(['Basic | For you', 'Pro | For you']);
  expect(wordsOf(nodes, 'Street')).toEqual(['Billing', 'Shipping']);
});

test('by the heading before it, where nothing is around it', () => {
  const nodes = [aNode('heading', 'Mine'), aNode('button', 'More'), aNode('heading', 'Yours'), aNode('button', 'More')];
  expect(wordsOf([aNode('main', undefined, nodes)], 'More')).toEqual(['Mine', 'Yours']);
});

test('an element that is alone of its name needs no words', () => {
  expect(wordsOf([aNode('form', 'Sign in', [aNode('button', 'Go')])], 'Go')).toEqual([undefined]);
});
