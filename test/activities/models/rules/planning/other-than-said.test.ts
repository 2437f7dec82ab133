/** What a step names that is not what the page has, or asks, or forbids: `rules` acts on nothing else in its place. */
import { commandsOn, control, deedsOn, type Node } from '../../../../support/rules-on-page';

const people = (...rows: [name: string, city: string][]): Node[] => [
  { role: 'heading', name: 'People', level: 1, ref: 'head', children: [] },
  {
    role: 'table',
    ref: 'table',
    children: rows.map(([name, city]) => ({
      role: 'row',
      name: `${name} ${city} Edit Delete`,
      ref: `row ${name}`,
      children: [
        { role: 'cell', ref: `name ${name}`, children: [name] },
        { role: 'cell', ref: `city ${name}`, children: [city] },
        {
          role: 'cell',
          ref: `deeds ${name}`,
          children: [control('button', 'Edit', `edit ${name}`), control('button', 'Delete', `delete ${name}`)],
        },
      ],
    })),
  } as Node,
  control('button', 'New person'),
];

const PEOPLE = people(['Jane Smith', 'Linz'], ['Otto Berg', 'Graz'], ['Ada Berg', 'Linz'], ['Plan B', 'Wien']);
const ONLY = people(['HR department', 'Graz']);
const ORDER: Node[] = [
  { role: 'heading', name: 'New order', level: 1, ref: 'head', children: [] },
  control('textbox', 'Billing address'),
  control('textbox', 'Shipping address'),
  control('spinbutton', 'Quantity'),
  control('checkbox', 'I accept the terms', 'terms', { checked: false }),
  control('checkbox', 'Send me the newsletter', 'newsletter', { checked: true }),
  control('button', 'Place order'),
  control('link', 'Sign out'),
];

const INVOICES: Node[] = [
  {
    role: 'table',
    ref: 'table',
    children: [
      ['INV-100', 'Open'],
      ['INV-101', 'Paid'],
    ].map(([number, state]) => ({
      role: 'row',
      name: `${number} ${state} Pay`,
      ref: `row ${number}`,
      children: [
        { role: 'cell', ref: `box ${number}`, children: [control('checkbox', `Select ${number}`, `select ${number}`)] },
        { role: 'cell', ref: `number ${number}`, children: [number] },
        { role: 'cell', ref: `state ${number}`, children: [state] },
        { role: 'cell', ref: `deeds ${number}`, children: [control('button', 'Pay', `pay ${number}`)] },
      ],
    })),
  } as Node,
];

test.each([
  'do not delete Jane Smith',
  'never delete Jane Smith',
  'delete Will Smith',
  'delete Jan Smith',
  'delete Jane A. Smith',
  'delete plan A',
  'delete Plan A',
  'delete Jane Smith in Graz',
  'delete the row above Otto Berg',
  'delete the row below Jane Smith',
  'delete the person next to Jane Smith',
  'delete the third person in Linz',
  'is there a delete button for Jane Smith?',
  'click New person 0 times',
])('nobody else is meant, and nothing is done: %s', (step) => {
  expect(deedsOn(PEOPLE, step)).toEqual([]);
});

test.each(['delete the IT department', 'delete the list', 'delete the table', 'delete people'])(
  'the only entry is not what else was named: %s',
  (step) => {
    expect(deedsOn(ONLY, step)).toEqual([]);
  },
);

test.each([
  'place no order',
  'accept no terms',
  'should I place the order?',
  'send the order',
  'sign in',
  'increase quantity by 2',
  'set quantity to at most 3',
  'set billing address to the same as shipping',
])('a form is not filled in or sent otherwise than was said: %s', (step) => {
  expect(deedsOn(ORDER, step)).toEqual([]);
});

test.each([
  [PEOPLE, 'delete Jane Smith', 'ref=delete Jane Smith'],
  [PEOPLE, 'delete plan B', 'ref=delete Plan B'],
  [PEOPLE, 'delete the second person in Linz', 'ref=delete Ada Berg'],
  [ONLY, 'delete the HR department', 'ref=delete HR department'],
  [ORDER, 'can you place the order?', 'ref=Place order'],
  [ORDER, 'sign out', 'ref=Sign out'],
])('what is there is still found: %#', (nodes, step, selector) => {
  expect(deedsOn(nodes, step)).toEqual([selector]);
});

test.each([
  'check that "Linz" is shown in the row Otto Berg',
  'expect "Linz" in the row of Otto Berg',
  'check that "Linz" is shown for "Otto Berg"',
  'check that Otto Berg is Linz',
])('%s is looked for in that row alone', (instruction) => {
  expect(commandsOn(PEOPLE, instruction)).toMatchObject([
    { parameters: { selector: expect.stringMatching(/^ref=(?:row|city) Otto Berg$/), text: 'Linz' } },
  ]);
});

test.each([
  'make sure "Linz" is not shown in the row of Jane Smith',
  'check that "Linz" does not appear in the row Jane Smith',
  'verify Jane Smith is not Linz',
])('%s is denied of that row', (instruction) => {
  expect(commandsOn(PEOPLE, instruction)).toMatchObject([
    { parameters: { selector: expect.stringMatching(/^ref=(?:row|city) Jane Smith$/), text: 'Linz', absent: true } },
  ]);
});

test.each([
  'check that no person is Linz',
  'check that "Linz" appears 4 times',
  'check that "Linz" appears twice',
  'check that the number of Jane Smith is below 100',
  'verify that there are at least 5 rows',
])('%s is more than one text says, and nothing is taken for it', (instruction) => {
  expect(commandsOn(PEOPLE, instruction)).toEqual([]);
});

const GRADES: Node[] = [
  {
    role: 'table',
    ref: 'grades',
    children: [
      {
        role: 'row',
        ref: 'heads',
        children: ['Pupil', 'Essay', 'Oral'].map((name) => control('columnheader', name, `head ${name}`)),
      },
      ...['Ben Carter', 'Emma Jones'].map((name) => ({
        role: 'row',
        ref: `row ${name}`,
        children: [
          { role: 'cell', ref: `name ${name}`, children: [name] },
          { role: 'cell', ref: `essay cell ${name}`, children: [control('textbox', name, `essay ${name}`)] },
          {
            role: 'cell',
            ref: `oral cell ${name}`,
            children: [{ role: 'textbox', ref: `oral ${name}`, children: [] }],
          },
        ],
      })),
    ],
  } as Node,
  control('button', 'Save grades'),
];
const CARS: Node[] = [
  control('button', 'New car'),
  control('checkbox', 'LT-102', 'select LT-102', { checked: false }),
  control('textbox', 'Tag, model or user'),
];

test('a value goes into the column that was named, of the row that was named', () => {
  expect(new Set(deedsOn(GRADES, 'Enter 81 for Ben Carter in Oral'))).toEqual(new Set(['ref=oral Ben Carter']));
});

test.each([
  [GRADES, 'Emma Jones got 78 in the oral exam, enter and save'],
  [CARS, 'select the first car'],
  [CARS, 'check the LT-102 back in'],
  [CARS, 'sort by user'],
])('what pages of strangers were taken for is not done: %#', (nodes, step) => {
  expect(deedsOn(nodes, step)).toEqual([]);
});

const part = (ref: string, children: (Node | string)[]): Node =>
  ({ role: 'generic', ref, children, locator: { selector: `css=#${ref}`, nth: 0, of: 1 } }) as Node;
const CARDS: Node[] = [
  part(
    'cards',
    [
      ['Bergmann', 'Hamburg', 'Anna'],
      ['Delacroix', 'Lyon', 'Chloe'],
      ['Tanaka', 'Osaka', 'Ben'],
    ].map(([name, city, owner]) =>
      part(`card-${name}`, [part(`name-${name}`, [name!]), part(`owner-${name}`, [`${city} · Owner: ${owner}`])]),
    ),
  ),
];

test.each([
  'save the owner of the customer in Lyon as owner',
  'save the owner of Hansen as owner',
  'check that the owner of the customer in Lyon is Anna',
])('a value of another entry is neither saved nor taken for the one that was named: %s', (step) => {
  expect(commandsOn(CARDS, step)).toEqual([]);
});

test('a value of the entry that was named is saved', () => {
  expect(commandsOn(CARDS, 'save the owner of Tanaka as owner')).toMatchObject([
    { action: 'SAVE_VARIABLE', parameters: { selector: 'ref=card-Tanaka', label: 'owner' } },
  ]);
});

test.each([
  'mark INV-100 as paid',
  'pay INV-100 by card',
  'pay INV-101 if it is open',
  'if INV-101 is open, pay it',
  'pay INV-101 if it is not open',
])('%s ticks and pays nothing', (instruction) => {
  expect(commandsOn(INVOICES, instruction)).toEqual([]);
});

test('an invoice is paid by its own button', () => {
  expect(deedsOn(INVOICES, 'pay INV-100')).toEqual(['ref=pay INV-100']);
});

test('a button whose whole name is a sign is pressed by what the sign means', () => {
  const basket = [control('spinbutton', 'Quantity'), control('button', '+'), control('button', '−')];
  expect(deedsOn(basket, 'add one')).toEqual(['ref=+']);
});

const PROFILE: Node[] = [
  {
    role: 'form',
    ref: 'form',
    children: [control('textbox', 'Phone number'), control('textbox', 'Email'), control('button', 'Discard changes')],
  } as Node,
];

test.each(['remove my phone number', 'delete the phone number', 'delete my email', 'remove the email'])(
  '%s discards no form and types nothing',
  (instruction) => {
    expect(commandsOn(PROFILE, instruction)).toEqual([]);
  },
);

test('changes of a form are discarded by their own words', () => {
  expect(deedsOn(PROFILE, 'discard my changes')).toEqual(['ref=Discard changes']);
});

const PAYMENT: Node[] = [
  {
    role: 'group',
    name: 'New standing order',
    ref: 'group',
    children: [
      control('textbox', 'Recipient'),
      control('textbox', 'Amount'),
      control('textbox', 'Reference'),
      control('button', 'Save order'),
    ],
  } as Node,
];

test('what no field of a list takes is no part of the value before it', () => {
  const step = 'recipient Library Friends, amount 12.00, every year, reference Membership 2025';
  const typed = commandsOn(PAYMENT, step).map(({ parameters }) => parameters.text ?? '');
  expect(typed.filter((text) => text.includes('every year'))).toEqual([]);
});

test('an option of a list that takes several is added to what is chosen', () => {
  const list = [
    control('listbox', 'Numbers', 'numbers', {
      states: ['multiple'],
      children: [control('option', 'PO-77'), control('option', 'PO-81')],
    }),
  ];
  expect(commandsOn(list, 'click "PO-81"')).toMatchObject([
    { action: 'SELECT_OPTION', parameters: { selector: 'ref=numbers', options: ['PO-81'], mode: 'add' } },
  ]);
});

test('a control in a row has its own state', () => {
  expect(commandsOn(PEOPLE, 'check that "Delete" in the row Otto Berg is disabled')).toMatchObject([
    { parameters: { selector: 'ref=delete Otto Berg', state: 'disabled' } },
  ]);
});

const ROWS: Node[] = [
  {
    role: 'table',
    ref: 'table',
    children: ['Joao Pinto', 'Ann Lee'].map((name) => ({
      role: 'row',
      name,
      ref: `row ${name}`,
      children: [
        { role: 'cell', ref: `name ${name}`, children: [name] },
        {
          role: 'cell',
          ref: `deeds ${name}`,
          children: [control('button', 'Delete user', `delete ${name}`), control('button', 'Unstar', `unstar ${name}`)],
        },
      ],
    })),
  } as Node,
];

test.each(["delete Joao Pinto's comment", 'remove the invoice of Ann Lee', "delete Ann Lee's heart"])(
  'a button that says of what kind the thing is deletes nothing else: %s',
  (step) => {
    expect(deedsOn(ROWS, step)).toEqual([]);
  },
);

test.each([
  ["delete Joao Pinto's account", 'ref=delete Joao Pinto'],
  ['remove the user Ann Lee', 'ref=delete Ann Lee'],
  ['take the star off Joao Pinto', 'ref=unstar Joao Pinto'],
])('the same thing by another word is found: %s', (step, selector) => {
  expect(deedsOn(ROWS, step)).toEqual([selector]);
});
