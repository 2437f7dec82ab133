/** Steps whose words look like another deed: `rules` take them as they are meant, or do nothing. */
import { followed } from '../../../../support/followed-steps';
import { commandsOn, control, deedsOn, type Node } from '../../../../support/rules-on-page';

const option = (name: string): Node => ({ role: 'option', name, children: [] }) as Node;
const visit = (name: string): Node =>
  ({
    role: 'row',
    ref: name,
    children: [
      { role: 'cell', ref: `name ${name}`, children: [name] },
      control('checkbox', 'Reminder', `remind ${name}`, { checked: false }),
      control('button', 'Check in', `check in ${name}`),
    ],
  }) as Node;
const VISITS: Node[] = [{ role: 'table', ref: 'visits', children: ['Anne Berg', 'John Smith'].map(visit) } as Node];

test('to check somebody in ticks no box', () => {
  expect(commandsOn(VISITS, 'Check in Anne Berg')).toMatchObject([
    { action: 'CLICK_ELEMENT', parameters: { selector: 'ref=check in Anne Berg' } },
  ]);
});

test('what is chosen is typed nowhere', () => {
  expect(deedsOn([control('textbox', 'New recipe', 'name')], 'Choose the season Spring for this recipe')).toEqual([]);
});

test('with a list beside it the button of the verb is pressed as well', () => {
  const bar = {
    role: 'group',
    ref: 'bar',
    children: [
      control('combobox', 'Courier', 'courier', { children: ['Ben Ali', 'Karla Diaz'].map(option) }),
      control('button', 'Assign', 'assign'),
    ],
  } as Node;
  expect(deedsOn([bar], 'assign them to Karla Diaz')).toEqual(['ref=courier', 'ref=assign']);
});

test('“the open parcel” presses no filter that is called so', () => {
  const page = [control('tab', 'All', 'all', { selected: true }), control('tab', 'Open', 'open')];
  expect(deedsOn(page, 'Change the day of the open parcel to 2025-05-09')).toEqual([]);
});

test('what is given is no deed, and has to be so', () => {
  const page = [control('button', '+', 'more'), 'Brake disc rear', control('button', 'Send request', 'send')];
  expect(deedsOn(page, 'Given one brake disc front in the list, when I press "Send request"')).toEqual([]);
});

test('what somebody wants is no reason that may be left out', () => {
  const form = [control('textbox', 'Weight', 'weight'), control('checkbox', 'Express', 'express', { checked: false })];
  expect(deedsOn(form, 'Put 2.5 in as the weight, and they always want express')).toEqual([]);
});

test('to tap the x of a tag presses no key', () => {
  const tag = { role: 'listitem', ref: 'tag', children: ['Local press', control('button', '×', 'drop')] } as Node;
  const other = { role: 'listitem', ref: 'vip', children: ['Guest', control('button', '×', 'drop guest')] } as Node;
  const list = { role: 'list', ref: 'tags', children: [tag, other] } as Node;
  const actions = commandsOn([list], 'Tap the x on the Local press tag').map(({ action }) => action);
  expect(actions).not.toContain('PRESS_KEY');
  expect(deedsOn([list], 'Tap the x at Local press')).toEqual(['ref=drop']);
});

test('an item of the menu that was opened goes before its namesake elsewhere', async () => {
  const page = (commands: readonly string[]): Node[] => [
    control('button', 'Archive', 'folder'),
    {
      role: 'listitem',
      ref: 'permit',
      children: [
        'Marie Dubois',
        control('button', 'More', 'more'),
        ...(commands.length === 1 ? [control('menuitem', 'Archive', 'item', { since: 'new' })] : []),
      ],
    } as Node,
  ];
  expect((await followed('Tap the dots at Marie Dubois, then tap Archive', page)).commands).toEqual([
    'CLICK_ELEMENT more',
    'CLICK_ELEMENT item',
  ]);
});
