/** Pages of strangers on which `rules` took one thing for another, and said that it was done. */
import { commandsOn, control, deedsOn, type Node } from '../../../../support/rules-on-page';

const part = (ref: string, children: unknown[], more: object = {}): Node =>
  ({ role: 'generic', ref, children, ...more }) as unknown as Node;

const mail = (from: string, subject: string, star: 'Add star' | 'Remove star'): Node =>
  part(
    `mail ${from}`,
    [
      part(`from ${from}`, [from]),
      part(`subject ${from}`, [subject]),
      part(`star ${from}`, [star === 'Add star' ? '☆' : '★'], { name: star }),
    ],
    { cursor: 'pointer' },
  );
const MAILS: Node[] = [
  part('folders', [
    part('inbox', ['Inbox'], { cursor: 'pointer' }),
    part('starred', ['Starred'], { cursor: 'pointer' }),
  ]),
  part('list', [
    mail('Otto Klein', 'Waiting list', 'Add star'),
    mail('Margaret Dunn', 'Water tap', 'Add star'),
    mail('Dorothea Vane', 'Meeting', 'Remove star'),
  ]),
];

test('a list is not the one entry of it that is named', () => {
  expect(
    commandsOn(MAILS, "Verify that Otto Klein's message is starred").map(({ parameters }) => parameters),
  ).not.toContainEqual(expect.objectContaining({ selector: 'ref=list' }));
});

test('a sign is no number that could be saved', () => {
  expect(commandsOn(MAILS, "Save Otto's waiting list number as wl")).toEqual([]);
});

const column = (name: string, jobs: string[]): Node =>
  part(`column ${name}`, [
    { role: 'heading', name, level: 2, ref: `head ${name}`, children: [name] } as unknown as Node,
    ...jobs.map((job) => part(`job ${job}`, [part(`number ${job}`, [job]), part(`due ${job}`, ['due Friday'])])),
  ]);

test('the title of a page is no place of it where a heading has the word', () => {
  const board = [column('Proofing', ['J-308', 'J-309']), column('Printing', ['J-305'])];
  const seen = (step: string) =>
    commandsOn(board, step, 'Inkwell Print – Job board').map(({ parameters }) => parameters.selector);
  expect(seen('Assert that the Proofing column contains J-309')).toEqual(['ref=number J-309']);
  expect(seen('Assert that the Printing column contains J-309')).not.toContain('ref=number J-309');
});

test('a heading that counts is what a count of its column is read from', () => {
  const board = [column('Proofing 2', ['J-308', 'J-309']), column('Printing 1', ['J-305'])];
  const seen = (step: string) => commandsOn(board, step, 'Inkwell – Job board').map(({ parameters }) => parameters);
  expect(seen('Verify that there are 3 jobs in the Proofing column')).toMatchObject([
    { selector: 'ref=head Proofing 2', text: '3' },
  ]);
  expect(seen('Verify that there are 2 errors in the Proofing column')).not.toMatchObject([
    { selector: 'ref=head Proofing 2' },
  ]);
});

const GUEST: Node[] = [
  part('card', [
    part('guest', ['Eva Novak']),
    part('bill', ['Bill'], { cursor: 'pointer' }),
    part('out', ['Check out'], { cursor: 'pointer' }),
  ]),
  control('button', '3. Vehicles +', 'vehicles'),
  part('sofa', [part('name', ['Blue sofa']), control('button', 'Add to cart', 'add')]),
];

test.each([
  ["that minibar beer on Eva Novak's bill, she never had it, take it off again", []],
  ["we've got a third car now, a Fiat Panda, petrol, can you add that one to the vehicles", []],
  ['the blue sofa is nice, so add it to the cart', ['ref=add']],
])('what is done to it has to do with what was said before: %s', (step, deeds) => {
  expect(deedsOn(GUEST, step)).toEqual(deeds);
});

test.each([
  'the error "Name is required" should be rendered',
  'the error "Name is required" must show up',
  '"Name is required" has to appear',
  '"Name is required" needs to be visible',
])('what has to be seen is the quoted text: %s', (step) => {
  expect(commandsOn(GUEST, step)).toMatchObject([{ action: 'EXPECT', parameters: { text: 'Name is required' } }]);
});
