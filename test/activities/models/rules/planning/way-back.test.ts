/** A step of `rules` that cannot go on leaves what it has opened: dialogs, menus and tabs, and nothing that was open before. */
import { followed } from '../../../../support/followed-steps';
import { anObservedCommand } from '../../../../support/evidence';
import { commandsOn, control, requestOn, type Node } from '../../../../support/rules-on-page';
import { decideByRules } from '../../../../../rules/planning/decide';

const job = (name: string): Node =>
  ({
    role: 'listitem',
    ref: `job ${name}`,
    children: [name, control('button', 'Job actions', `actions ${name}`)],
  }) as Node;
const part = (role: string, items: readonly string[], more: object = {}): Node =>
  ({ role, name: '', ref: 'part', children: items.map((item) => control('button', item)), ...more }) as Node;
const JOBS: Node = { role: 'list', ref: 'jobs', children: ['Dripping tap', 'Loose step'].map(job) } as Node;
const times = (commands: readonly string[], command: string): number =>
  commands.filter((each) => each === command).length;

test('a sheet without what was looked for is left by its own way out', async () => {
  const { isDone, commands } = await followed('assign the dripping tap to Dennis', (done) => {
    const isOpen = done.includes('CLICK_ELEMENT actions Dripping tap') && !done.includes('CLICK_ELEMENT Cancel');
    return isOpen ? [JOBS, part('dialog', ['Pause', 'Delete', 'Cancel'], { since: 'new' })] : [JOBS];
  });
  expect(isDone).toBe(false);
  expect(commands).toEqual(['CLICK_ELEMENT actions Dripping tap', 'CLICK_ELEMENT Cancel']);
});

const form = (done: readonly string[], items: readonly string[]): Node[] => {
  const isOpen =
    done.includes('CLICK_ELEMENT New job') && !done.some((each) => /(?:Cancel|Discard|Escape)$/.test(each));
  return [control('button', 'New job'), JOBS, ...(isOpen ? [part('dialog', items)] : [])];
};

test.each([
  [['Create', 'Cancel'], 'CLICK_ELEMENT Cancel'],
  [['Create', 'Discard'], 'CLICK_ELEMENT Discard'],
  [['Cancel job', 'Create'], 'PRESS_KEY Escape'],
  [['No show', 'Create'], 'PRESS_KEY Escape'],
])('what a step has opened before a part that it cannot do is left: %j by %s', async (items, way) => {
  const { isDone, message, commands } = await followed('click "New job", then click "Bake bread"', (done) =>
    form(done, items),
  );
  expect(isDone).toBe(false);
  expect(message).toContain('Bake bread');
  expect(commands).toEqual(['CLICK_ELEMENT New job', way]);
});

test('a list that Escape does not close is closed by what opened it', async () => {
  const { commands } = await followed('click "Sort: Popular", then click "Bake bread"', (done) => [
    control('button', 'Sort: Popular', 'sort'),
    ...(times(done, 'CLICK_ELEMENT sort') % 2 === 1 ? [part('listbox', ['Popular', 'Cheapest first'])] : []),
  ]);
  expect(commands).toEqual(['CLICK_ELEMENT sort', 'PRESS_KEY Escape', 'CLICK_ELEMENT sort']);
});

test('a menu bar that is drawn anew at each click is closed by what stands in the place of its opener', async () => {
  const { commands } = await followed('click "Edit", then click "Bake bread"', (done) => {
    const clicks = done.filter((each) => each.startsWith('CLICK_ELEMENT')).length;
    const isOpen = clicks % 2 === 1;
    const edit = control('menuitem', 'Edit', `edit ${clicks}`, { expanded: isOpen, states: ['popup=menu'] });
    const entry = { role: 'group', ref: 'g', children: [edit, ...(isOpen ? [part('menu', ['Undo'])] : [])] } as Node;
    return [{ role: 'menubar', ref: 'bar', children: [entry] } as Node];
  });
  expect(commands).toEqual(['CLICK_ELEMENT edit 0', 'PRESS_KEY Escape', 'CLICK_ELEMENT edit 1']);
});

test('a menu in a dialog is left before the dialog', async () => {
  const { commands } = await followed('click "New job", then click "Kind", then click "Bake bread"', (done) => {
    const menu = done.includes('CLICK_ELEMENT Kind') && !done.includes('PRESS_KEY Escape') ? ['Urgent'] : undefined;
    const dialog = { role: 'dialog', ref: 'd', children: ['Kind', 'Cancel'].map((name) => control('button', name)) };
    const isOpen = done.includes('CLICK_ELEMENT New job') && !done.includes('CLICK_ELEMENT Cancel');
    return [control('button', 'New job'), ...(isOpen ? [dialog as Node] : []), ...(menu ? [part('menu', menu)] : [])];
  });
  expect(commands.slice(2)).toEqual(['PRESS_KEY Escape', 'CLICK_ELEMENT Cancel']);
});

test('a dialog that was open before the step stays open', async () => {
  const { isDone, commands } = await followed('tick "Urgent", then click "Bake bread"', (done) => [
    part('dialog', ['Create', 'Cancel'], { name: 'New job' }),
    control('checkbox', 'Urgent', 'urgent', { checked: done.length > 0 }),
  ]);
  expect(isDone).toBe(false);
  expect(commands.filter((each) => each !== 'SET_CHECKED urgent')).toEqual([]);
});

test.each([
  ['another page', ['https://office.test/next'], []],
  ['a place in the same page', ['https://office.test/#job'], ['ref=Cancel']],
])('what stands open on %s that a step has led to', (_where, navigations, left) => {
  const request = requestOn([part('dialog', ['Accept', 'Cancel'])], 'click "Next", then click "Bake bread"');
  const command = { action: 'CLICK_ELEMENT' as const, parameters: { selector: 'ref=Next' } };
  const evidence = anObservedCommand({ navigations, urlBefore: 'https://office.test/' });
  const wait = { action: 'WAIT_FOR' as const, parameters: { seconds: 2 } };
  const past = [
    { commands: [command], outcomes: [{ ...command, status: 'done', evidence }], context: { plan: [0] } },
    { commands: [wait], outcomes: [{ ...wait, status: 'done' }], context: { plan: [1], waiting: 1 } },
  ];
  const { commands } = decideByRules({ ...request, pastIterations: past, variableValues: {} } as never);
  expect(commands.map(({ parameters }) => parameters.selector)).toEqual(left);
});

test('the tab that was open is opened again after the others were looked into', async () => {
  const NAMES = ['Payments', 'Accounts', 'Payees'];
  const { isDone, commands } = await followed('find payment: type vogel', (done) => {
    const open = done.findLast((each) => NAMES.some((name) => each === `CLICK_ELEMENT ${name}`));
    const tab = (name: string): Node =>
      control('tab', name, name, { selected: name === (open?.replace('CLICK_ELEMENT ', '') ?? 'Payments') });
    return [{ role: 'tablist', ref: 'tabs', children: NAMES.map(tab) } as Node, control('generic', 'Vogel')];
  });
  expect(isDone).toBe(false);
  expect(commands.filter((each) => each.startsWith('CLICK')).at(-1)).toBe('CLICK_ELEMENT Payments');
});

test('a notice that something was done, with Undo and Close, asks nothing', async () => {
  const buttons = ['Undo', 'Close'].map((name) => control('button', name, name, { since: 'new' }));
  const notice = { role: 'status', ref: 'notice', children: ['Dripping tap confirmed', ...buttons] } as Node;
  const { isDone } = await followed('confirm the dripping tap', (done) => [
    {
      role: 'listitem',
      ref: 'tap',
      children: ['Dripping tap', ...(done.length === 0 ? [control('button', 'Confirm')] : ['Confirmed'])],
    } as Node,
    ...(done.length === 0 ? [] : [notice]),
  ]);
  expect(isDone).toBe(true);
});

const PAGE = [control('heading', 'Orders'), control('button', 'On hold'), control('button', 'Sort')];

test('what is given is met where a heading or the open tab says so', () => {
  expect(commandsOn(PAGE, 'Given the list of orders, when I press "On hold"')).toMatchObject([
    { action: 'CLICK_ELEMENT', parameters: { selector: 'ref=On hold' } },
  ]);
  expect(commandsOn(PAGE, 'Given the list of customers, when I press "On hold"')).toEqual([]);
});

test('a link of the page goes before a tab of the browser', () => {
  const [command] = commandsOn([control('link', 'Menu', 'menu'), control('link', 'Menu cards')], 'go to menu tab');
  expect(command).toMatchObject({ action: 'CLICK_ELEMENT', parameters: { selector: 'ref=menu' } });
  expect(commandsOn([control('link', 'Menu cards')], 'go to menu tab')).toMatchObject([{ action: 'SWITCH_TAB' }]);
});

test('“&” between names joins no two deeds', () => {
  const row = (name: string, state: string): Node =>
    ({ role: 'row', ref: name, children: [name, state].map((text) => ({ role: 'cell', children: [text] })) }) as Node;
  const rows = [row('Bergmann & Sons', 'due on 15.04.2024'), row('Bergmann & Co', 'paid')];
  const table = { role: 'table', ref: 't', children: rows } as Node;
  const looks = commandsOn([table], 'Check that Bergmann & Sons is due on 15.04.2024');
  expect(new Set(looks.map(({ parameters }) => parameters.selector))).toEqual(new Set(['ref=Bergmann & Sons']));
});

test('a question that a switch or a list brings is answered with it', () => {
  const page = [
    control('switch', 'Published', 'published', { checked: false }),
    control('combobox', 'Show', 'show', { children: [{ role: 'option', name: 'Overdue', children: [] }] }),
  ];
  const answer = { action: 'HANDLE_DIALOG', parameters: { accept: true } };
  expect(commandsOn(page, 'switch "Published" on and accept the question')).toMatchObject([
    answer,
    { action: 'SET_CHECKED' },
  ]);
  expect(commandsOn(page, 'choose "Overdue" in Show and accept the question')).toMatchObject([
    answer,
    { action: 'SELECT_OPTION' },
  ]);
});

test('the third page is the one of that number', () => {
  const buttons = ['1', '2', '3', 'Next'].map((name) => control('button', name, `page ${name}`));
  const pages = { role: 'navigation', name: 'Pages', ref: 'nav', children: buttons } as Node;
  expect(commandsOn([pages], 'go to the third page')).toMatchObject([{ parameters: { selector: 'ref=page 3' } }]);
  expect(commandsOn([pages], 'go to the fifth page')).toEqual([]);
});

test('what several fields are to get is not typed into one', () => {
  const dish = [...['Dish', 'Day', 'Price'].map((name) => control('textbox', name)), control('button', 'Add dish')];
  expect(commandsOn(dish, 'add dish: pea soup, tues, 1.60, veg')).toEqual([]);
});

test('the name of the field, shortened, is not searched for in it', async () => {
  const page = (): Node[] => [control('searchbox', 'Find address', 'find')];
  expect((await followed('find addr mill lane', page)).commands).toEqual([]);
  expect((await followed('find "mill lane"', page)).commands[0]).toBe('INPUT_TEXT find mill lane');
});

test('a panel beside the page that a step has opened is left by its own button', async () => {
  const { commands } = await followed('click "T-24", then click "Comments", then click "Bake bread"', (done) => {
    const isOpen = done.includes('CLICK_ELEMENT T-24') && !done.includes('CLICK_ELEMENT Close panel');
    const panel = { role: 'complementary', name: 'Ticket', ref: 'p', children: [] as unknown as Node[] };
    panel.children.push(control('button', 'Close panel'), control('button', 'Comments'));
    return [control('link', 'T-24'), ...(isOpen ? [panel as unknown as Node] : [])];
  });
  expect(commands.at(-1)).toBe('CLICK_ELEMENT Close panel');
});

test('the place of a field before the value behind a colon is not typed with it', () => {
  const page = [control('textbox', 'Show notes', 'notes')];
  const step = 'Replace the whole text in the box "Show notes" on the right by: Thanks to the foundry.';
  expect(commandsOn(page, step)).toEqual([]);
});
