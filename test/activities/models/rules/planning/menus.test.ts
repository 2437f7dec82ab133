/** `rules` open the menu of the entry that a step names, do there what it says, and close again what has it not. */
import { followed } from '../../../../support/followed-steps';
import { control, deedsOn, type Node } from '../../../../support/rules-on-page';

const EPISODES = ['Night buses', 'Night markets', 'Pilot'];
const fresh = (name: string): Node => control('menuitem', name, name, { since: 'new' });

const episode = (name: string, items: readonly string[]): Node =>
  ({
    role: 'listitem',
    ref: `item ${name}`,
    children: [
      control('button', name, `open ${name}`),
      'Draft',
      control('button', 'Episode menu', `menu ${name}`),
      ...(items.length === 0 ? [] : [{ role: 'menu', ref: 'menu', since: 'new', children: items.map(fresh) } as Node]),
    ],
  }) as Node;

/** A menu is open after its button was clicked an odd number of times; Escape does not close it. */
function planner(commands: readonly string[], items: readonly string[]): Node[] {
  const isOpen = (name: string): boolean =>
    commands.filter((command) => command === `CLICK_ELEMENT menu ${name}`).length % 2 === 1;
  const list = EPISODES.map((name) => episode(name, isOpen(name) ? items : []));
  return [{ role: 'list', name: 'Season 1', ref: 'season', children: list } as Node];
}

const MENU = ['Pin', 'Move to Season 2', 'Delete'];

test.each([
  ['Pin Night buses', ['menu Night buses', 'Pin']],
  ['Move Night markets to Season 2', ['menu Night markets', 'Move to Season 2']],
  ['Delete please the episode Pilot', ['menu Pilot', 'Delete']],
])('the menu of an entry that is called by a button has it: %s', async (step, refs) => {
  const { commands } = await followed(step, (done) => planner(done, MENU));
  expect(commands).toEqual(refs.map((ref) => `CLICK_ELEMENT ${ref}`));
});

test('a menu that has it not, and that Escape does not close, is closed by its own button', async () => {
  const { isDone, commands } = await followed('Archive Night markets', (done) => planner(done, MENU));
  expect(isDone).toBe(false);
  expect(commands).toEqual([
    'CLICK_ELEMENT menu Night markets',
    'PRESS_KEY Escape',
    'CLICK_ELEMENT menu Night markets',
  ]);
});

test('no menu is opened for somebody who has no entry', async () => {
  expect(await followed('Invite lea@radio.example as Draft', (done) => planner(done, MENU))).toMatchObject({
    isDone: false,
    commands: [],
  });
});

test('what an entry is to become is in a part of its menu', async () => {
  const ticket = (name: string, items: readonly string[]): Node =>
    ({
      role: 'article',
      ref: name,
      children: [
        { role: 'heading', name, ref: `head ${name}`, children: [name] },
        control('button', 'More actions', `menu ${name}`),
        ...items.map(fresh),
      ],
    }) as Node;
  const board = (commands: readonly string[]): Node[] => {
    const items = ['Move to ▸', 'Priority ▸'];
    const open = commands.length === 1 ? items : commands.length === 2 ? [...items, 'Low', 'High'] : [];
    return [ticket('Printer jams', []), ticket('VPN fails', open)];
  };
  expect(await followed('Give the VPN ticket a low priority', board)).toMatchObject({
    commands: ['CLICK_ELEMENT menu VPN fails', 'CLICK_ELEMENT Priority ▸', 'CLICK_ELEMENT Low'],
  });
});

test('a name that is made of words for things is no thing of the page', () => {
  expect(deedsOn([control('button', '+ New', 'new')], 'Create a new folder called invoices & receipts')).toEqual([]);
});

const group = (name: string): Node =>
  ({
    role: 'group',
    name,
    ref: name,
    children: [
      control('spinbutton', 'Channel', `channel ${name}`, { text: '36' }),
      control('button', 'Apply', `apply ${name}`),
    ],
  }) as Node;

test('Apply is the button of what was filled in before', async () => {
  const { commands } = await followed('Set the channel of the guest network to 44 and hit Apply', () => [
    group('Main network'),
    group('Guest network'),
  ]);
  expect(commands).toEqual(['INPUT_TEXT channel Guest network 44', 'CLICK_ELEMENT apply Guest network']);
});

test('parts that work like tabs are looked into, and the first is shown again where none has it', async () => {
  const names = ['Status', 'Network', 'System'];
  const router = (commands: readonly string[]): Node[] => {
    const shown = commands.findLast((command) => command.includes('part '))?.split('part ')[1] ?? 'Status';
    const parts = names.map(
      (name) => ({ role: 'generic', ref: `part ${name}`, text: name, cursor: 'pointer' }) as Node,
    );
    const switchOn = control('switch', 'Guest network', 'guest');
    return [
      { role: 'generic', ref: 'parts', children: parts } as Node,
      { role: 'heading', name: shown, ref: 'title', children: [shown] } as Node,
      shown === 'Network' ? switchOn : 'Firmware 7 for the guest and the printer',
    ];
  };
  expect(await followed('Switch on the guest network', router)).toMatchObject({
    commands: ['CLICK_ELEMENT part Network', 'SET_CHECKED guest'],
  });
  expect((await followed('Switch on the guest printer', router)).commands.at(-1)).toBe('CLICK_ELEMENT part Status');
});
