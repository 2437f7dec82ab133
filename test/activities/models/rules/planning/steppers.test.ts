/** `rules` make a number larger or smaller by the buttons beside it, as often as the step says. */
import { control, commandsOn, deedsOn, type Node } from '../../../../support/rules-on-page';

const shelf = (name: string, count: string, more = true): Node =>
  ({
    role: 'listitem',
    ref: `item ${name}`,
    children: [
      name,
      ...(more ? [control('button', '−', `less ${name}`)] : []),
      count,
      control('button', '+', `more ${name}`),
      control('button', 'Remove', `remove ${name}`),
    ],
  }) as Node;
const SHELF: Node[] = [
  {
    role: 'list',
    ref: 'shelf',
    children: [shelf('Air filter', '4'), shelf('Cabin air filter', '1'), shelf('Oil filter', '2')],
  } as Node,
];

test.each([
  ['one more oil filter', ['more Oil filter']],
  ['oil filter +2', ['more Oil filter', 'more Oil filter']],
  ['Increase the oil filter by 3', ['more Oil filter', 'more Oil filter', 'more Oil filter']],
  ['Reduce the cabin air filter by one', ['less Cabin air filter']],
  ['Tap + twice in the row "Oil filter"', ['more Oil filter']],
])('the button is clicked as often as the step says: %s', (step, refs) => {
  expect(deedsOn(SHELF, step)).toEqual(refs.map((ref) => `ref=${ref}`));
});

test.each(['one more fuel filter', 'filter +2', 'oil filter +200'])(
  'nothing is clicked where it is not clear of what: %s',
  (step) => {
    expect(deedsOn(SHELF, step)).toEqual([]);
  },
);

test('a plus without a minus may add something else, and is no stepper', () => {
  const list = { role: 'list', ref: 'shelf', children: [shelf('Oil filter', '2', false)] } as Node;
  expect(deedsOn([list], 'oil filter +2')).toEqual([]);
});

test('a number field without buttons gets the new number', () => {
  const field = control('spinbutton', 'Guests', 'guests', { text: '3', children: undefined });
  expect(commandsOn([field], 'Increase the guests by 2')).toMatchObject([
    { action: 'INPUT_TEXT', parameters: { selector: 'ref=guests', text: '5' } },
  ]);
});
