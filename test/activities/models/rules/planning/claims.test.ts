/** What is claimed of an entry is true where one entry has every word of it, and what is only offered there says nothing. */
import { commandsOn, control, type Node } from '../../../../support/rules-on-page';

const member = (name: string, status: string, plan: string): Node =>
  ({
    role: 'row',
    ref: name,
    children: [
      { role: 'cell', ref: `name ${name}`, children: [name] },
      { role: 'cell', ref: `status ${name}`, children: [status] },
      { role: 'cell', ref: `plan ${name}`, children: [plan] },
      { role: 'cell', ref: `deeds ${name}`, children: [control('button', 'Mark as paid', `pay ${name}`)] },
    ],
  }) as Node;
const head = (name: string): Node => ({ role: 'columnheader', name, ref: `head ${name}`, children: [name] }) as Node;
const MEMBERS: Node[] = [
  {
    role: 'table',
    ref: 'members',
    children: [
      { role: 'row', ref: 'heads', children: ['Member', 'Payment', 'Plan', ''].map(head) },
      member('Marcus Reed', 'Overdue', 'Premium'),
      member('Marcus Reid', 'Paid', 'Student'),
      member('Olivia Marsh', 'Late', 'Basic'),
      member('Nora Haddad', 'In advance', 'Basic'),
      member('Tom Weiss', 'Not in advance', 'Basic'),
    ],
  } as Node,
];

const looksAt = (step: string): string[] =>
  commandsOn(MEMBERS, step)
    .filter(({ action }) => action === 'EXPECT')
    .map(({ parameters: { selector, text } }) => `${selector?.replace('ref=', '')}: ${text}`);

test.each([
  [
    "Verify that Marcus Reed's payment is shown as overdue",
    ['Marcus Reed: Marcus', 'Marcus Reed: Reed', 'Marcus Reed: Overdue'],
  ],
  ['Verify that Olivia Marsh is marked as late', ['Olivia Marsh: Olivia', 'Olivia Marsh: Marsh', 'Olivia Marsh: Late']],
  ['Check that Marcus Reid plays Student', ['Marcus Reid: Marcus', 'Marcus Reid: Reid', 'Marcus Reid: Student']],
])('the entry is looked at for every word: %s', (step, looked) => {
  expect(looksAt(step)).toEqual(looked);
});

test.each([
  "Verify that Marcus Reed's payment is shown as paid",
  'Verify that Olivia Marsh is marked as overdue',
  'Verify that Marcus Reed is not marked as late',
  'Verify that Olivia Reed is marked as late',
  'Check that Nora Haddad is not in advance',
  'Check that Tom Weiss is advance',
  'Verify that Olivia Marsh is a student',
  'Verify that Olivia Marsh is listed in the category Premium',
])('no entry has all of it: %s', (step) => {
  expect(looksAt(step).some((look) => /^(?:Marcus|Olivia)/.test(look))).toBe(false);
});

const LABELLED: Node[] = [
  control('heading', 'Anna Berg', 'name', { level: 1 }),
  { role: 'paragraph', ref: 'facts', children: ['Card type: Adult · Open fees: 0.00 · Late fees: 5.00'] } as Node,
  { role: 'paragraph', ref: 'paid', children: ['Paid this year: 12.50'] } as Node,
];
const looksOn = (nodes: Node[], step: string): (string | undefined)[][] =>
  commandsOn(nodes, step)
    .filter(({ action }) => action === 'EXPECT')
    .map(({ parameters: { selector, text } }) => [selector, text]);

test('a value is that of its label, and of no other one', () => {
  expect(looksOn(LABELLED, 'Verify that the open fees of Anna Berg are 0.00')).toEqual([
    ['ref=facts', 'Open fees: 0.00'],
  ]);
  for (const other of ['12.50', '5.00'])
    expect(looksOn(LABELLED, `Verify that the open fees of Anna Berg are ${other}`)).not.toContainEqual([
      'ref=facts',
      expect.anything(),
    ]);
  expect(looksOn(LABELLED, 'Verify that the open fees of Anna Bergh are 0.00')).not.toContainEqual([
    'ref=facts',
    expect.anything(),
  ]);
});

test('what entries are is said before their names, by the words of the page', () => {
  const page = [control('heading', 'API keys', 'head', { level: 2 }), ...MEMBERS];
  expect(looksOn(page, 'Verify that the key Marcus Reid plays Student').length).toBe(3);
  expect(looksOn(page, 'Verify that the door Marcus Reid plays Student').length).not.toBe(3);
});

test.each([
  ['is assigned to', 'Verify that Marcus Reed is assigned to Premium', 0],
  ['heads its column', 'Verify that Marcus Reed has the plan "Premium" and a payment of Overdue', 4],
])('a participle has to be on the page: what %s', (_, step, looks) => {
  expect(looksOn(MEMBERS, step).filter(([selector]) => selector === 'ref=Marcus Reed').length).toBe(looks);
});

test('what is claimed of “it” is claimed of what was named before', () => {
  const said = (step: string): string[] => looksOn(MEMBERS, step).map(([, text]) => text ?? '');
  expect(said('Given Marcus Reed is marked as overdue, then his plan is "Premium"')).toEqual(
    expect.arrayContaining(['Marcus', 'Reed', 'Premium']),
  );
});

test('a state of a control for an entry is that of the one in it', () => {
  const row = (name: string, disabled: boolean): Node =>
    ({
      role: 'row',
      ref: name,
      children: [
        { role: 'cell', ref: `name ${name}`, children: [name] },
        {
          role: 'cell',
          ref: `deeds ${name}`,
          children: [control('button', 'Enter result', `enter ${name}`, { disabled })],
        },
      ],
    }) as Node;
  const page = [{ role: 'table', ref: 'samples', children: [row('S-2014', false), row('S-2024', true)] } as Node];
  expect(commandsOn(page, 'Verify that "Enter result" is disabled for S-2024')).toMatchObject([
    { action: 'EXPECT', parameters: { selector: 'ref=enter S-2024', state: 'disabled' } },
  ]);
});
