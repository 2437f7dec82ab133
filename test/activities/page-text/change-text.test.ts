import { changeText } from '../../../rules/page-text/change-text';
import type { PageNode, PageSnapshot } from '../../../contracts/browsers/page-snapshot';

const aPage = (nodes: PageNode[], url = 'https://shop.test/cart'): PageSnapshot => ({
  snapshotId: 's',
  url,
  title: 'Cart',
  tabs: [],
  nodes,
});

const row = (name: string, ref: number): PageNode => ({
  role: 'row',
  name,
  ref: `e${ref}`,
  children: [
    { role: 'cell', text: name, ref: `e${ref + 1}` },
    { role: 'cell', ref: `e${ref + 2}`, children: [{ role: 'button', name: 'Remove', ref: `e${ref + 3}` }] },
  ],
});
const form: PageNode[] = [
  { role: 'textbox', name: 'Full name', ref: 'e50' },
  { role: 'textbox', name: 'Address', ref: 'e51' },
  { role: 'button', name: 'Place order', ref: 'e52' },
];
const cart = aPage([{ role: 'heading', name: 'Cart', ref: 'e1' }, row('Bean', 10), row('Shoe', 20), ...form]);

test('a dialog that has opened is shown with its refs, within what it stands in', () => {
  const dialog: PageNode = {
    role: 'dialog',
    name: 'Are you sure?',
    ref: 'e60',
    children: [
      { role: 'button', name: 'Yes', ref: 'e61' },
      { role: 'button', name: 'No', ref: 'e62' },
    ],
  };
  const { text, isWholePage } = changeText(cart, aPage([...(cart.nodes as PageNode[]), dialog]), []);
  expect(isWholePage).toBe(false);
  expect(text.split('\n')).toEqual([
    'New or changed on the page:',
    '- dialog "Are you sure?" [ref=e60] [new]',
    '  - button "Yes" [ref=e61]',
    '  - button "No" [ref=e62]',
  ]);
});

test('what a validation says of a field, and a row that is gone, are named', () => {
  const nodes: PageNode[] = [
    { role: 'heading', name: 'Cart', ref: 'e1' },
    row('Shoe', 20),
    { ...form[0]!, invalid: 'Please fill in this field.' },
    ...form.slice(1),
  ];
  expect(changeText(cart, aPage(nodes), []).text).toBe(
    'New or changed on the page:\n- textbox "Full name" [ref=e50] [invalid="Please fill in this field."] [changed]\n' +
      'Gone: row "Bean"',
  );
});

test('a page that reads as before is said to', () => {
  // Marks of the snapshot against one that the model was not shown do not count.
  const nodes = (cart.nodes as PageNode[]).map((node) => ({ ...node, since: 'new' as const }));
  expect(changeText(cart, aPage(nodes), [])).toEqual({ text: 'The page reads as before.', isWholePage: false });
});

test.each<[string, PageSnapshot | null, PageSnapshot, boolean]>([
  ['that was not shown yet', null, cart, false],
  ['of another address', cart, aPage(cart.nodes as PageNode[], 'https://shop.test/checkout'), false],
  ['whose refs are numbered anew', cart, aPage([{ role: 'button', name: 'Pay', ref: 'e1' }, ...form]), false],
  ['that is due', cart, cart, true],
])('a page %s is shown whole', (_, shown, newest, isDue) => {
  const { text, isWholePage } = changeText(shown, newest, [], isDue);
  expect(isWholePage).toBe(true);
  expect(text).toContain(`The page now:\naddress: ${newest.url}`);
  expect(text).toContain('- button "Place order" [ref=e52]');
});

test('neither grows with the page', () => {
  const rows = Array.from({ length: 500 }, (_, index) => row(`Thing ${index}`, 100 + index * 10));
  const huge = aPage([...rows, ...form]);
  expect(changeText(null, huge, []).text.length).toBeLessThan(5100);
  const many = Array.from({ length: 200 }, (_, index): PageNode => ({
    ...form[0]!,
    name: `N${index}`,
    ref: `f${index}`,
  }));
  const { text, isWholePage } = changeText(huge, aPage([...rows, ...form, ...many]), []);
  expect(isWholePage).toBe(false);
  expect(text.length).toBeLessThan(2300);
});

test('a page that was not shown is as short as its use allows: refs of controls, each label once', () => {
  const page = aPage([
    {
      role: 'generic',
      ref: 'e1',
      active: true,
      children: [
        { role: 'heading', name: 'Pay', ref: 'e2' },
        { role: 'generic', text: 'Full name', ref: 'e3' },
        { role: 'textbox', name: 'Full name', ref: 'e4' },
        { role: 'radio', name: 'Express', ref: 'e5' },
        { role: 'generic', text: 'Express', ref: 'e6' },
        { role: 'generic', text: '$9.00', ref: 'e7' },
        { role: 'generic', text: 'Fold', ref: 'e8', cursor: 'pointer' },
        { role: 'listitem', text: 'Drag me', ref: 'e9', states: ['draggable'] },
      ],
    },
  ]);
  expect(changeText(null, page, []).text.split('\n').slice(3)).toEqual([
    '- heading "Pay"',
    '- textbox "Full name" [ref=e4]',
    '- radio "Express" [ref=e5]',
    '- generic: $9.00',
    '- generic [ref=e8] [clickable]: Fold',
    '- listitem [ref=e9] [draggable]: Drag me',
  ]);
});
