/** Pages of strangers on which `rules` acted on a neighbour, or left another view behind than the one that was there. */
import { commandsOn, control, deedsOn, type Node } from '../../../../support/rules-on-page';

const group = (name: string, ref: string, children: Node[]): Node => ({ role: 'group', name, ref, children }) as Node;
const lesson = (day: string, time: string, name: string, isFull = false): Node =>
  group(`${name} ${time}`, `${day}-${time}`, [
    control('generic', time, `time ${day} ${time}`),
    control('generic', name, `name ${day} ${time}`),
    isFull
      ? control('button', 'Full', `full ${day} ${time}`, { disabled: true })
      : control('button', 'Book', `book ${day} ${time}`),
    control('button', 'Call off', `off ${day} ${time}`),
  ]);
const LESSONS: Node[] = [
  { role: 'link', name: 'Members', ref: 'members', children: [] } as Node,
  ...['Monday', 'Wednesday'].map((day) =>
    group('', day, [
      control('generic', day, `head ${day}`),
      lesson(day, '07:00', 'Yoga'),
      lesson(day, '18:30', 'Boxing', day === 'Wednesday'),
      lesson(day, '19:30', 'Boxing Junior'),
    ]),
  ),
];

test('the time of an entry is no other thing to press, so that a neighbour is booked', () => {
  expect(deedsOn(LESSONS, 'Tap Book at the Wednesday Boxing, 18:30')).toEqual([]);
  expect(deedsOn(LESSONS, 'Tap Book at the Monday Boxing Junior, 19:30')).toEqual(['ref=book Monday 19:30']);
});

test('a page of a list is no link to the list', () => {
  expect(deedsOn(LESSONS, 'go to the second page of the member list')).toEqual([]);
  const list = [control('checkbox', 'Select all on this page'), ...guests('Ada', 'Ben')];
  expect(deedsOn(list, 'Go on the second page')).toEqual([]);
  const pages = ['Page 1', 'Page 2', 'Page 3'].map((name) => control('button', name));
  expect(deedsOn([...list, ...pages], 'Go to the second page')).toEqual(['ref=Page 2']);
});

const tabs = (details: object, ...more: Node[]): Node[] => [
  ...['New', 'In preparation', 'Ready'].map((name, at) => control('tab', name, name, { selected: at === 0 })),
  { role: 'list', ref: 'list', children: [row('RX-1', details), row('RX-2', {})] } as Node,
  ...more,
];
const row = (number: string, details: object): Node =>
  ({
    role: 'listitem',
    ref: `row ${number}`,
    children: [control('generic', number), control('button', 'Details', `details ${number}`, details)],
  }) as Node;

test('what is not there is looked for in other tabs where nothing is lost by it', () => {
  expect(deedsOn(tabs({ expanded: false }), 'discharge RX-1')).toEqual(['ref=In preparation']);
});

test.each([
  ['a part is open', tabs({ expanded: true }), 'discharge RX-1'],
  ['it is said to be open', tabs({ expanded: false }), 'discharge the opened RX-1'],
  [
    'a later page of the list is shown',
    tabs({ expanded: false }, control('button', 'Page 1'), control('button', 'Page 2', '2', { states: ['current'] })),
    'discharge RX-1',
  ],
  [
    'the words only look like the name of a tab',
    tabs({ expanded: true }),
    'choose Ines Moe as the one who prepares RX-1',
  ],
])('no other tab is opened where %s', (_where, nodes, step) => {
  expect(commandsOn(nodes, step)).toEqual([]);
});

test('the details of another row are not opened', () => {
  expect(deedsOn(tabs({ expanded: false }), 'expand the "Details" button of row RX-7')).toEqual(['ref=In preparation']);
  expect(deedsOn(tabs({ expanded: false }), 'expand the "Details" button of row RX-2')).toEqual(['ref=details RX-2']);
});

const guests = (...names: string[]): Node[] => [
  {
    role: 'list',
    ref: 'list',
    children: names.map((name) => ({
      role: 'listitem',
      ref: `item ${name}`,
      children: [control('generic', name, `name ${name}`), control('button', 'Check in', `in ${name}`)],
    })),
  } as Node,
];

test.each([
  [['Eva Anne', 'Ivo Marsh'], 'check in Eva Ann'],
  [['Ada Jansen', 'Ivo Marsh'], 'check in Ada Hansen'],
  [['In', 'Ivo Marsh'], 'check in Ines'],
])('of %j nobody is meant by: %s', (names, step) => {
  expect(deedsOn(guests(...names), step)).toEqual([]);
});

test('a message that is to be answered is not only opened for an answer', () => {
  const message = { role: 'article', ref: 'a', children: ['Ada: which day?', control('button', 'Reply', 'reply')] };
  const mail = [message as unknown as Node, control('button', 'Send sick note', 'send')];
  expect(deedsOn(mail, 'Answer the message of Ada with "Wednesday is fine."')).toEqual([]);
  expect(deedsOn(mail, 'Answer the message of Ada with "Wednesday is fine." and post it')).toEqual(['ref=reply']);
});

test('of two people whose names differ by a letter the one that was named is meant', () => {
  expect(deedsOn(guests('Eva Anne', 'Eva Ann'), 'check in Eva Ann')).toEqual(['ref=in Eva Ann']);
});

const SWITCHES: Node[] = ['Waiting list', 'Reminders'].map((name) =>
  control('checkbox', name, name, { checked: true }),
);

test('a switch on and another off are two switches', () => {
  expect(commandsOn(SWITCHES, 'Reminders off, waiting list off')).toMatchObject([
    { action: 'SET_CHECKED', parameters: { selector: 'ref=Reminders', checked: false } },
  ]);
});

const BOARD: Node[] = [
  group('Applied', 'applied', [control('generic', 'Ada Berg', 'ada')]),
  group('Interview', 'interview', [{ role: 'listitem', ref: 'maria', children: ['Maria Silva'] } as unknown as Node]),
];

test('what is held to be dragged is not held before', () => {
  expect(commandsOn(BOARD, 'Long-press Maria Silva and drag her back to Applied')).toMatchObject([
    { action: 'DRAG_ELEMENT', parameters: { selector: 'ref=maria', toSelector: 'ref=applied' } },
  ]);
});

test('what has to be so is no reason for the rest', () => {
  const form = [control('checkbox', 'Owner shows the place', 'owner'), control('checkbox', 'Text reminder', 'text')];
  expect(commandsOn(form, 'The owner shows the place, and a text reminder has to be sent.')).toEqual([]);
});

const ENTRY: Node[] = [
  control('textbox', 'Name', 'name', { placeholder: 'Full name' }),
  control('textbox', 'Contact', 'contact', { placeholder: 'Contact e-mail' }),
  control('switch', 'Explicit content', 'explicit', { checked: false }),
  control('button', 'Save', 'save'),
];

test.each([
  ['Fill the input with placeholder "Full name" with "Hana Ito"; do not submit.', 'ref=name', 'Hana Ito'],
  ['Type "Hana Ito" into the textbox whose placeholder is "Full name".', 'ref=name', 'Hana Ito'],
  ['Set the value of the input with placeholder "Contact e-mail" to a@b.test (no save).', 'ref=contact', 'a@b.test'],
])('a field is found by its placeholder, and a remark is no value: %s', (step, selector, text) => {
  expect(commandsOn(ENTRY, step)).toMatchObject([{ action: 'INPUT_TEXT', parameters: { selector, text } }]);
});

test.each(['Slide the explicit content switch to on', 'flick explicit content to on'])(
  'a switch is switched by a gesture: %s',
  (step) => {
    expect(commandsOn(ENTRY, step)).toMatchObject([
      { action: 'SET_CHECKED', parameters: { selector: 'ref=explicit', checked: true } },
    ]);
  },
);

const DESK: Node[] = [
  control('searchbox', 'Filter', 'filter'),
  control('button', 'Critical', 'critical', { pressed: false }),
  control('button', 'Close the shift', 'close'),
  control('button', 'Delete', 'delete'),
];

test.each([
  'close the shift, oh wait, there are still open tickets so go back',
  'press Delete, but then decide against it',
  'close the shift - never mind',
])('nothing is done of what is taken back: %s', (step) => {
  expect(commandsOn(DESK, step)).toEqual([]);
});

test('a filter that has a button of its own is not typed into the field for filters', () => {
  expect(commandsOn(DESK, 'Given the filter "Critical"').map(({ action }) => action)).not.toContain('INPUT_TEXT');
});

const visit = (name: string, pet: string, isOver: boolean): Node =>
  ({
    role: 'listitem',
    ref: `visit ${name}`,
    children: [`${name} ${pet}`, control('button', 'Check in', `in ${name}`, { disabled: isOver })],
  }) as unknown as Node;
const VISITS: Node[] = [
  { role: 'list', ref: 'list', children: [visit('Ada', 'Bella', true), visit('Ben', 'Bella', false)] } as Node,
];

test('of entries that are named the one whose button is disabled may be meant, of others it is not', () => {
  expect(deedsOn(VISITS, 'check in Bella')).toEqual([]);
  expect(deedsOn(VISITS, 'check in Bella of Ben')).toEqual(['ref=in Ben']);
  expect(deedsOn(VISITS, 'click Check in')).toEqual(['ref=in Ben']);
});

const part = (children: Node[]): Node => ({ role: 'generic', children }) as Node;
const pressed = (text: string, ref: string): Node =>
  ({ role: 'generic', ref, cursor: 'pointer', children: [text] }) as unknown as Node;
const card = (name: string, deed: string): Node =>
  part([
    control('generic', name, `name ${name}`),
    part([pressed(deed, `${deed} ${name}`), pressed('Call owner', `call ${name}`)]),
  ]);
const VET_BOARD: Node[] = [
  control('button', 'New appointment', 'new'),
  part([card('Bella', 'Start'), card('Rocco', 'Start')]),
  part([card('Rocky', 'Finish')]),
];

test.each([
  ['finish Rocky', ['ref=Finish Rocky']],
  ['Rocky: finish', ['ref=Finish Rocky']],
  ['finish Milo', []],
  ['finish Rocco', []],
  ['Start the appointment of Rocco', ['ref=Start Rocco']],
  ['Start the parade of Rocco', []],
])('a button without namesakes is in the entry of those beside it: %s', (step, deeds) => {
  expect(deedsOn(VET_BOARD, step)).toEqual(deeds);
});

const choice = (name: string, options: string[]): Node =>
  control('combobox', name, name, { children: options.map((each) => control('option', each, `${name} ${each}`)) });
const ABSENCES: Node[] = [
  group('Absences', 'absences', [
    choice('Employee', ['Lucia Ortega', 'Dev Patel']),
    choice('Day', ['Mon', 'Thu']),
    choice('Type', ['Sick', 'Holiday']),
    control('button', 'Add'),
  ]),
  control('button', 'Copy last week', 'copy', { disabled: true }),
  control('button', 'Add another item', 'item'),
  control('textbox', 'Return', 'return'),
];

test.each([
  'Lucia was off on Thursday, poor thing had the flu, so add that to the absences as sick',
  'add that to the absences as sick',
  'Copy the hours of last week',
  'add another item, Ray-Ban sunglasses, worth 120 euros, bought in 2023',
  'change return date to 14 may 2024',
])('a part of what is said is not done for the whole: %s', (step) => {
  expect(deedsOn(ABSENCES, step)).toEqual([]);
});
