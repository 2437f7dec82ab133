/** Steps of strangers that `rules` did to another thing, said to be done, or left half-way. */
import { followed } from '../../../../support/followed-steps';
import { commandsOn, control, deedsOn, type Node } from '../../../../support/rules-on-page';

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
