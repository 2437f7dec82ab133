/** Steps of strangers that `rules` did to another thing, said to be done, or left half-way. */
import { surroundingsOf } from '../../../../../rules/matching/entry';
import { indexPage } from '../../../../../rules/matching/page-index';
import { followed } from '../../../../support/followed-steps';
import { commandsOn, control, deedsOn, requestOn, type Node } from '../../../../support/rules-on-page';

const part = (role: string, name: string, children: unknown[], more: object = {}): Node =>
  ({ role, name, ref: name, children, ...more }) as unknown as Node;
const list = (name: string, ref: string, options: readonly string[]): Node =>
  control('combobox', name, ref, {
    children: options.map((option) => ({ role: 'option', name: option, children: [] })),
  });

test('a form that is named in quotes is the one in which it is chosen, or nothing is', () => {
  const page = [
    part('form', 'Domestic suppliers', [list('Pay by', 'home', ['Bank transfer', 'Cheque'])]),
    part('form', 'Foreign suppliers', [list('Pay by', 'abroad', ['Bank transfer', 'Letter of credit'])]),
  ];
  const choose = (option: string): string[] =>
    deedsOn(page, `Choose the option "${option}" from the "Pay by" select in the form "Domestic suppliers"`);
  expect(choose('Letter of credit')).toEqual([]);
  expect(choose('Cheque')).toEqual(['ref=home']);
});

test('a word of a name is not another word that means the same', () => {
  const parcel = (street: string): Node =>
    part('row', street, [part('cell', `cell ${street}`, [street]), control('button', 'Load', `load ${street}`)]);
  const page = [part('table', 'Route', ['4 Mill Lane', '4 Mill Road'].map(parcel))];
  expect(deedsOn(page, 'Load the parcel for 4 Mill Street')).toEqual([]);
  expect(deedsOn(page, 'Load the parcel for 4 Mill Road')).toEqual(['ref=load 4 Mill Road']);
});

test('what stands above a list of people is no button of one of them', () => {
  const visit = (name: string): Node =>
    part('generic', `visit ${name}`, [name, control('button', 'Paid', `paid ${name}`)]);
  const page = [
    part('tabpanel', 'Today', [
      control('button', 'Call next patient', 'next'),
      part('generic', 'visits', ['Anna Berg', 'Olaf Stein', 'Rosa Stein'].map(visit)),
    ]),
  ];
  expect(deedsOn(page, 'call Rosa Stein')).toEqual([]);
  expect(deedsOn(page, 'call the next patient')).toEqual(['ref=next']);
});

test('a number that is put as the quantity is not added to it', () => {
  const page = [part('form', 'Transfer', [control('spinbutton', 'Quantity', 'quantity', { value: '1', text: '1' })])];
  expect(commandsOn(page, 'on this transfer form just put 12 as the quantity')).toMatchObject([
    { action: 'INPUT_TEXT', parameters: { selector: 'ref=quantity', text: '12' } },
  ]);
});

test('what is named before a colon is not searched for', () => {
  expect(commandsOn([control('searchbox', 'Name', 'name')], 'search patients: olav')).toMatchObject([
    { action: 'INPUT_TEXT', parameters: { text: 'olav' } },
    { action: 'PRESS_KEY' },
  ]);
});

test('what is asked for behind a reason is not left out', () => {
  const page = [
    control('checkbox', 'WHOIS privacy', 'privacy', { checked: false }),
    control('button', 'Save registration', 'save'),
  ];
  expect(deedsOn(page, 'tick WHOIS privacy, since we are at it make it 3 years, then save the registration')).toEqual(
    [],
  );
  expect(deedsOn(page, 'tick WHOIS privacy, since we are at it, then save the registration')).toEqual([
    'ref=privacy',
    'ref=save',
  ]);
});

const dialog = part('dialog', 'Interview', [
  control('button', 'Cancel', 'cancel'),
  control('button', 'Plan it', 'plan'),
]);

test('an answer alone is one to the dialog of the page', () => {
  expect(commandsOn([dialog], 'cancel this dialog')).toMatchObject([
    { action: 'CLICK_ELEMENT', parameters: { selector: 'ref=cancel' } },
  ]);
});

test('an answer to no question at all is not done', async () => {
  const { isDone, message, commands } = await followed('accept the dialog', () => [control('button', 'Delete')]);
  expect({ isDone, commands }).toEqual({ isDone: false, commands: [] });
  expect(message).toContain('“accept the dialog” answers no question: none is open.');
});

test('a tab that was opened in vain is left for the one before', async () => {
  const tabs = (commands: readonly string[]): Node[] => {
    const open = commands.at(-1)?.replace('CLICK_ELEMENT ', '') ?? 'Settings';
    return [
      part(
        'tablist',
        'Parts',
        ['Count', 'Settings'].map((name) => control('tab', name, name, { selected: name === open })),
      ),
      part('tabpanel', open, [control('button', open === 'Count' ? 'Add a bin' : 'Reset')]),
    ];
  };
  const { isDone, commands } = await followed('change the responsible count to Jana Petersen', tabs);
  expect({ isDone, commands }).toEqual({ isDone: false, commands: ['CLICK_ELEMENT Count', 'CLICK_ELEMENT Settings'] });
});

test('what is not to be touched asks for nothing', async () => {
  const page = [control('textbox', 'New time', 'time'), control('button', 'Reschedule', 'reschedule')];
  const step = 'put the new time at 11:45, leave the doctor alone, and reschedule it';
  const { commands } = await followed(step, () => page);
  expect(commands).toEqual(['INPUT_TEXT time 11:45', 'CLICK_ELEMENT reschedule']);
});

test('of a form nothing is filled in where a clause behind it is not understood', () => {
  const page = [
    list('Kind', 'kind', ['Plumbing', 'Electrical']),
    control('textbox', 'Remark', 'remark'),
    control('button', 'Send report', 'send'),
  ];
  expect(deedsOn(page, 'choose Electrical, describe the defect as "Lamp flickers" and send the report')).toEqual([]);
});

test('a refusal says what was done of its step, or that nothing was', async () => {
  const page = (commands: readonly string[]): Node[] => [
    control('button', 'New ticket', 'new'),
    ...(commands.length > 0 ? [control('textbox', 'Title', 'title', { since: 'new' })] : []),
  ];
  expect((await followed('Open a new ticket and add the tag "urgent"', page)).message).toContain(
    'Done before: “Open a new ticket”.',
  );
  expect((await followed('add the tag "urgent"', page)).message).toContain('Nothing was done.');
});

test('the dots of an entry are its menu, and no end of a sentence', async () => {
  const entry = (name: string): Node =>
    part('row', name, [part('cell', `cell ${name}`, [name]), control('button', '…', `dots ${name}`)]);
  const page = (commands: readonly string[]): Node[] => [
    part('table', 'Lessons', ['7A Maths', '7A Music'].map(entry)),
    ...(commands.length > 0 ? [control('menuitem', 'Move to library', 'move', { since: 'new' })] : []),
  ];
  const { commands } = await followed('Tap the … of 7A Music, then tap Move to library', page);
  expect(commands).toEqual(['CLICK_ELEMENT dots 7A Music', 'CLICK_ELEMENT move']);
});

const SHOWN = ['All doctors', 'Dr. Hansen', 'Dr. Hanson'];

test.each(['Show only the appointments of Dr. Hanson.', 'only Dr. Hanson'])(
  'what alone is to be shown is an option of the list that shows all: %s',
  (step) => {
    const page = [list('Doctor', 'doctor', SHOWN), list('Doctor of the new visit', 'new', SHOWN.slice(1))];
    expect(commandsOn(page, step)).toMatchObject([{ action: 'SELECT_OPTION', parameters: { selector: 'ref=doctor' } }]);
  },
);

test('a field for a number gets it without its unit', () => {
  expect(commandsOn([control('spinbutton', 'Truck limit', 'limit')], 'Change the truck limit to 950 kg')).toMatchObject(
    [{ action: 'INPUT_TEXT', parameters: { text: '950' } }],
  );
});

test.each([
  'We had far too many in the first column last time, so archive Marta Lind',
  'I can never find anything in here, so archive Marta Lind',
  'nobody will be there anyway: please archive Marta Lind',
  'archive Marta Lind, so that they leave me alone',
  'archive Marta Lind, not the other one',
])('what somebody says beside it asks for nothing: %s', (step) => {
  const person = (name: string): Node =>
    part('row', name, [part('cell', `cell ${name}`, [name]), control('button', 'Archive', `archive ${name}`)]);
  const page = [part('table', 'People', ['Marta Lind', 'Martha Lind'].map(person))];
  expect(deedsOn(page, step)).toEqual(['ref=archive Marta Lind']);
});

test('a part that is open is so by its name, its heading or as the only dialog', async () => {
  const page = [
    part('dialog', 'Schedule Spring news', [control('button', 'Schedule', 'schedule')]),
    control('heading', 'Tomato salad', 'salad'),
  ];
  // Of anything else the browser is asked.
  const isSo = async (claim: string): Promise<boolean> => {
    const { isDone, commands } = await followed(claim, () => page);
    return isDone && commands.length === 0;
  };
  expect(await isSo('verify that the schedule dialog is open')).toBe(true);
  expect(await isSo('verify that the tomato salad is open')).toBe(true);
  expect(await isSo('verify that the tomato soup is open')).toBe(false);
  expect(await isSo('verify that the delete dialog is open')).toBe(false);
});

test('what is given without a verb is not skipped', () => {
  const page = [control('spinbutton', 'Goods value', 'value'), control('button', 'Calculate', 'calculate')];
  expect(deedsOn(page, 'Given a goods value of 1500, when I calculate, then the duty is 64')).toEqual([]);
});

test('to hold something is no long press where the page holds it', () => {
  const row = part('row', 'DE-1104', [
    part('cell', 'number', ['DE-1104']),
    control('button', 'Hold', 'hold', { disabled: true }),
  ]);
  expect(commandsOn([part('table', 'Declarations', [row])], 'hold DE-1104')).not.toMatchObject([
    { action: 'PRESS_AND_HOLD' },
  ]);
});

test('what was opened in vain is closed again after a wait, and the whole step is proposed', async () => {
  const page = (commands: readonly string[]): Node[] => [
    control('button', 'Chart', 'chart'),
    ...(commands.at(-1) === 'CLICK_ELEMENT chart'
      ? [part('complementary', 'Chart of Ann', [control('button', 'Close', 'close')], { since: 'new' })]
      : []),
  ];
  const { isDone, commands } = await followed('open the chart, then click "Discharge"', page);
  expect({ isDone, commands }).toEqual({ isDone: false, commands: ['CLICK_ELEMENT chart', 'CLICK_ELEMENT close'] });
});

test('an element is found by its id where the step says it in words', () => {
  const page = [
    control('button', 'Clear all', 'all', { attributes: { id: 'bulk' } }),
    control('button', 'Clear', 'one', { attributes: { id: 'one' } }),
  ];
  expect(deedsOn(page, 'Click the button with id "bulk".')).toEqual(['ref=all']);
});

test('what is asked for in the middle of a reason is not left out', () => {
  const page = [control('radio', 'Invoice', 'invoice', { checked: false }), control('spinbutton', 'Nights', 'nights')];
  const step = 'put the payment on invoice, and since it is a long trip give them 5 nights';
  expect(deedsOn(page, step)).toEqual([]);
});

test('a word at the end of a name is no preposition where something is deleted', () => {
  const rule = (name: string): Node =>
    part('row', name, [part('cell', `cell ${name}`, [name]), control('button', 'Delete', `delete ${name}`)]);
  const page = [part('table', 'Rules', ['Mail out', 'Web in'].map(rule))];
  expect(deedsOn(page, 'Delete the rule Mail in')).toEqual([]);
  expect(deedsOn(page, 'Delete the rule Web in')).toEqual(['ref=delete Web in']);
});

test('a button that sends a form opens none for what is left of the step', () => {
  const page = [
    part('form', 'Add rule', [
      control('textbox', 'Name', 'name'),
      control('textbox', 'Port', 'port'),
      control('button', 'Add rule', 'add'),
    ]),
  ];
  expect(deedsOn(page, "Add a rule with rule title 'Syslog' and direction 'outbound'")).toEqual([]);
});

test('a menu is opened by no step that names something else', () => {
  const job = part('row', 'Rental contract', [
    part('cell', 'cell', ['Rental contract']),
    control('button', 'Options of Rental contract', 'options', { states: ['popup'] }),
  ]);
  const page = [part('table', 'Jobs', [job])];
  expect(deedsOn(page, 'Open the application form for the rental contract')).toEqual([]);
  expect(deedsOn(page, 'Open the options of the rental contract')).toEqual(['ref=options']);
});

test('the box that selects an entry does not mark it as done', () => {
  const order = (name: string): Node =>
    part('row', name, [control('checkbox', `Select order ${name}`, `select ${name}`, { checked: false }), name]);
  const page = [part('table', 'Orders', ['Dripping tap', 'Broken lamp'].map(order))];
  expect(deedsOn(page, 'Mark the dripping tap as done')).toEqual([]);
});

test('nothing is added by a click into a field', () => {
  const page = [
    control('heading', 'Rivers of the north', 'head', { level: 1 }),
    control('textbox', 'Add a tag', 'tag'),
  ];
  expect(commandsOn(page, 'add tag rivers')).not.toMatchObject([{ action: 'CLICK_ELEMENT' }]);
});

test('what a search field is called is not sought', () => {
  expect(commandsOn([control('searchbox', 'Search guests', 'search')], 'search guests hal')).toMatchObject([
    { action: 'INPUT_TEXT', parameters: { text: 'hal' } },
    { action: 'PRESS_KEY' },
  ]);
});

test('a part of a code opens no part of the page', () => {
  const page = [control('link', 'Users', 'users'), control('button', 'Restore', 'restore', { disabled: true })];
  expect(deedsOn(page, 'Tap Restore at users_2025-05-03.dump')).not.toContain('ref=users');
});

test('an entry is no value of its own', async () => {
  const page = [part('listitem', 'guest', ['Tom Hale Night tour, 13:00, 3 persons'])];
  const { isDone, message } = await followed('remember the persons of Tom Hale as headcount', () => page);
  expect(isDone).toBe(false);
  expect(message).not.toBe('');
});

test('what is to be found is typed where the page has a field for it', () => {
  const page = [control('textbox', 'Find plate or supplier', 'find'), control('generic', 'Harbor', 'row')];
  expect(commandsOn(page, 'find harbor')).toMatchObject([
    { action: 'INPUT_TEXT', parameters: { selector: 'ref=find', text: 'harbor' } },
    { action: 'PRESS_KEY' },
  ]);
});

test.each(['Write church in the field for the street, over the list', 'Search in the tickets after 5512'])(
  'words of a place are not typed: %s',
  (step) => {
    const page = [control('textbox', 'Street', 'street'), control('searchbox', 'Search tickets', 'search')];
    expect(commandsOn(page, step)).toEqual([]);
  },
);

test('a claim about one of many is none about all of them', () => {
  const page = [
    part(
      'tabpanel',
      'Stock',
      ['A-', '3 bags', '0-', '0 bags', 'B+', '7 bags'].map((text) => part('generic', text, [text])),
    ),
  ];
  expect(commandsOn(page, 'Verify that the stock of A- is 0 bags')).toEqual([]);
});

test('what is chosen in a menu is named by its path', () => {
  const page = [control('button', 'File', 'file', { states: ['popup'] }), control('button', 'Edit', 'edit')];
  expect(commandsOn(page, 'click File > Open')).toMatchObject([
    { action: 'CHOOSE_MENU_ITEM', parameters: { selector: 'ref=file', path: ['Open'] } },
  ]);
});

test('an entry has the words that stand beside a control which a listener around it shows', () => {
  const item = (name: string): Node =>
    part('listitem', '', [control('generic', 'remove', `remove ${name}`)], { text: `${name} remove` });
  const page = indexPage(requestOn([part('list', 'Shopping', ['Milk', 'Bread'].map(item))], '').snapshot);
  const bread = page.items.find(({ node }) => node?.ref === 'remove Bread')!;
  expect([...surroundingsOf(page, bread).entry]).toEqual(['bread']);
});
