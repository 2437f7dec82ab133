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
