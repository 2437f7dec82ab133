/** What people say in place of the name of a control: each form does its deed, and the nearest other thing is refused. */
import type { PageSnapshot } from '../../../../../contracts/browsers/page-snapshot';
import { decideByRules } from '../../../../../rules/planning/decide';

type Node = PageSnapshot['nodes'][number];
const node = (role: string, ref: string, children: (Node | string)[], more: object = {}): Node =>
  ({ role, ref, children, ...more }) as Node;
const control = (role: string, name: string, ref = name, more: object = {}): Node =>
  node(role, ref, [], { name, ...more });
const heading = (name: string, level = 2): Node => control('heading', name, `heading ${name}`, { level });

const list = (name: string, entries: string[]): Node[] => [
  heading(name),
  node(
    'list',
    `list ${name}`,
    entries.map((entry) => node('listitem', entry, [entry, control('button', 'Delete', `delete ${entry}`)])),
  ),
];
const LISTS: Node[] = [...list('Notes', ['Buy soil', 'Call Anna']), ...list('Tasks', ['Water plants', 'Pay rent'])];

const PHOTOS: Node[] = list('Photos', ['fjord-2', 'fjord and focus', 'frogs']);

const room = (name: string, favourite: string): Node =>
  node('article', name, [heading(name, 3), '4 seats', control('button', favourite, `favourite ${name}`)]);
const ROOMS: Node[] = [
  room('Cedar', 'Add to favourites'),
  room('Dune', 'Add to favourites'),
  room('Elm', 'Remove from favourites'),
];

const post = (text: string, like: string): Node =>
  node('article', text, [text, node('generic', `like ${text}`, [like], { cursor: 'pointer' })]);
const POSTS: Node[] = [post('Beer traps', '♥ Liked (7)'), post('Copper tape', '♡ Like (2)')];

const FILTERS: Node[] = [
  control('checkbox', 'North', 'north', { checked: true }),
  control('checkbox', 'South', 'south', { checked: true }),
  control('checkbox', 'Only below minimum', 'below', { checked: false }),
];

const addTo = (name: string): Node =>
  node('region', name, [heading(name), control('textbox', 'Add a task and press Enter', `add to ${name}`)], { name });
const TASK_LISTS: Node[] = [addTo('Home'), addTo('Work')];

const FORM: Node[] = [
  control('textbox', 'Comment for the team'),
  control('textbox', 'Comment for HR'),
  control('textbox', 'Describe it in your words', 'story'),
  control('checkbox', 'Somebody was injured', 'injured', { checked: false }),
  node('generic', 'instant', [
    control('checkbox', 'Instant transfer', 'box', { checked: false }),
    node('generic', 'help', ['?']),
    'Instant transfer',
  ]),
];

const RENAMING: Node[] = [
  node(
    'dialog',
    'dialog',
    [
      control('textbox', 'New name', 'new name', { since: 'new' }),
      control('button', 'Save', 'save', { since: 'new' }),
      control('button', 'Cancel', 'cancel', { since: 'new' }),
    ],
    { since: 'new' },
  ),
];

const THREAD: Node[] = [
  node('dialog', 'dialog', [
    control('textbox', 'Title'),
    control('textbox', 'What is on your mind?', 'mind', { states: ['multiline'] }),
    control('button', 'Publish'),
  ]),
];

const MAIL: Node[] = [
  control('checkbox', 'Select all', 'all', { checked: false }),
  node(
    'list',
    'mails',
    ['Minutes', 'Lunch', 'Quote'].map((mail) =>
      node('listitem', mail, [control('checkbox', 'Select message', `select ${mail}`, { checked: false }), mail]),
    ),
  ),
];

const DROPS: Node[] = [
  node('listitem', 'bike', ['Fix bike'], { states: ['draggable'] }),
  ...['Home', 'Work'].map((name) =>
    node('generic', name, [heading(name)], {
      name,
      states: ['drop area'],
      locator: { selector: `css=#${name}`, nth: 0, of: 1 },
    }),
  ),
];

function decided(nodes: Node[], instruction: string) {
  const snapshot = {
    snapshotId: 's',
    url: 'https://office.test/',
    title: 'Office',
    tabs: [],
    nodes: [node('main', 'main', nodes)],
  };
  const request = { instruction, stepIndex: 0, iteration: 0, maxIterations: 8, mayAct: true, pastIterations: [] };
  const { commands } = decideByRules({ ...request, snapshot, variables: [], variableValues: {} });
  return commands.filter(({ action }) => action !== 'WAIT_FOR');
}

function deedsOn(nodes: Node[], instruction: string): string[] {
  return decided(nodes, instruction).map(({ action, parameters: { selector = '', toSelector, text, key } }) =>
    [action, selector.replace('ref=', ''), toSelector?.replace('ref=', ''), text, key].filter(Boolean).join(' | '),
  );
}

test.each([
  [LISTS, 'delete the second note', ['CLICK_ELEMENT | delete Call Anna']],
  [LISTS, 'delete the last task', ['CLICK_ELEMENT | delete Pay rent']],
  [ROOMS, 'fav the dune room', ['CLICK_ELEMENT | favourite Dune']],
  [POSTS, 'take back my like on the beer traps', ['CLICK_ELEMENT | like Beer traps']],
  [FILTERS, 'show only what is below minimum', ['SET_CHECKED | below']],
  [
    TASK_LISTS,
    'add "Renew passport" to Home',
    ['INPUT_TEXT | add to Home | Renew passport', 'PRESS_KEY | add to Home | Enter'],
  ],
  [
    FORM,
    'comment for the team: back on monday, pls call lea',
    ['INPUT_TEXT | Comment for the team | back on monday, pls call lea'],
  ],
  [
    FORM,
    'Describe: The hose burst, water on floor & walls',
    ['INPUT_TEXT | story | The hose burst, water on floor & walls'],
  ],
  [FORM, 'Somebody was injured, please mark this', ['SET_CHECKED | injured']],
  [FORM, 'hover the ? icon next to the Instant transfer checkbox', ['HOVER | help']],
  [MAIL, 'tick the first two row checkboxes', ['SET_CHECKED | select Minutes', 'SET_CHECKED | select Lunch']],
  [DROPS, 'drag Fix bike over to the Work list', ['DRAG_ELEMENT | bike | Work']],
  [LISTS, 'the rent came back unpaid so delete the first task', ['CLICK_ELEMENT | delete Water plants']],
  [PHOTOS, 'the frogs are blurred so delete that one', ['CLICK_ELEMENT | delete frogs']],
  [THREAD, 'Title: open', ['INPUT_TEXT | Title | open']],
  [
    FORM,
    'comment for the team: come over to the house, every day',
    ['INPUT_TEXT | Comment for the team | come over to the house, every day'],
  ],
  [RENAMING, 'to Graz', ['INPUT_TEXT | new name | Graz', 'CLICK_ELEMENT | save']],
  [THREAD, 'put the text "Which one?"', ['INPUT_TEXT | mind | Which one?']],
  [ROOMS, 'cedar: favourite', ['CLICK_ELEMENT | favourite Cedar']],
])('what people say is done: %#', (nodes, step, deeds) => {
  expect(deedsOn(nodes, step)).toEqual(deeds);
});

const rows = (name: string, title: string, entries: string[]): Node =>
  node('table', name, [
    control('caption', title, `caption ${name}`),
    node('row', `${name} head`, [control('columnheader', 'Name', `${name} name`)]),
    ...entries.map((entry) => node('row', entry, [node('cell', `cell ${entry}`, [entry])])),
  ]);
const TABLES: Node[] = [rows('users', 'Users', ['Ada', 'Ben']), rows('invited', 'Pending invitations', ['Cy'])];
const SAYS: Node[] = [
  heading('Articles'),
  ...list('Articles', ['Bolt', 'Nut']).slice(1),
  node('paragraph', 'p', ['4 articles']),
];

test.each([
  [TABLES, 'expect that exactly 2 users are listed', { selector: 'ref=users', roles: ['row'], count: 2 }],
  [TABLES, 'the table "Users" should show 2 rows', { selector: 'ref=users', roles: ['row'], count: 2 }],
  [
    TABLES,
    'make sure there is only one row in the table "Pending invitations"',
    { selector: 'ref=invited', roles: ['row'], count: 1 },
  ],
  [TABLES, 'in the table "Users", expect 2 rows', { selector: 'ref=users', roles: ['row'], count: 2 }],
  [LISTS, 'expect that two notes are left', { selector: 'ref=list Notes', roles: ['listitem'], count: 2 }],
  [SAYS, 'expect that the list shows 4 articles', { text: '4 articles' }],
  [LISTS, 'expect that three photos are shown', { text: 'three photos' }],
])('entries are counted where the page has a list of them: %#', (nodes, step, parameters) => {
  const [command] = decided(nodes, step);
  expect(command).toMatchObject({ action: 'EXPECT', parameters });
});

test.each(['expect 2 rows', 'there should be 3 entries', 'check that at least 2 users are listed'])(
  '%s says not which list, or no count, and nothing is taken for it',
  (step) => {
    expect(decided(TABLES, step)).toEqual([]);
  },
);

test.each([
  [LISTS, 'delete the first two notes'],
  [LISTS, 'delete everything that is soil'],
  [LISTS, 'delete the second list'],
  [LISTS, 'delete the third note'],
  [ROOMS, 'fav the elm room'],
  [POSTS, 'take back my like on the copper tape'],
  [FILTERS, 'show only North'],
  [TASK_LISTS, 'add "Renew passport"'],
  [TASK_LISTS, 'add "Renew passport" to Garden'],
  [FORM, 'comment: back on monday'],
  [FORM, 'Nobody was hurt, please mark this'],
  [FORM, 'hover the green icon next to the Instant transfer checkbox'],
  [DROPS, 'drag Fix bike over to the Garden list'],
  [LISTS, 'the rent came back unpaid so delete the third task'],
  [RENAMING, 'town Graz'],
  [RENAMING, 'total 5'],
  [PHOTOS, 'I took too many of the fjord and fjord-2 is out of focus so delete that one'],
])('the nearest other thing is not: %#', (nodes, step) => {
  expect(deedsOn(nodes, step)).toEqual([]);
});
