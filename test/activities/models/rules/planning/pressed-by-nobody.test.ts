/** Steps that name what the page has not, and what `rules` pressed or typed for them. */
import { followed } from '../../../../support/followed-steps';
import { commandsOn, control, deedsOn, type Node } from '../../../../support/rules-on-page';

const part = (role: string, name: string, children: unknown[], more: object = {}): Node =>
  ({ role, name, ref: name, children, ...more }) as unknown as Node;

test('a page that listens for all clicks on it is not pressed in place of a button that a row has not', async () => {
  const row = (name: string, buttons: Node[]): Node =>
    part('row', '', [part('cell', '', [name], { ref: `of ${name}` }), part('cell', '', buttons)], { ref: name });
  const patients = part('table', '', [
    row('Luna', [control('button', 'Confirm', 'luna')]),
    row('Lulu', [control('button', 'Send reminder', 'lulu')]),
  ]);
  const page = [part('main', '', [patients], { ref: 'all', cursor: 'pointer' })];
  const pressed = async (name: string) => (await followed(`In the row of ${name}, click Confirm`, () => page)).commands;
  expect(await pressed('Lulu')).toEqual([]);
  expect(await pressed('Luna')).toEqual(['CLICK_ELEMENT luna']);
});

test('two things with a comma between them are one that is said more closely', () => {
  const row = (day: string, lesson: string): Node =>
    part('row', `${day} ${lesson}`, [
      part('cell', `${day} of ${lesson}`, [day]),
      part('cell', `of ${lesson}`, [lesson]),
      control('button', 'Approve', lesson),
    ]);
  const page = [part('table', 'Requests', [row('Tue 14 May', '7A Maths'), row('Wed 15 May', '7A Art')])];
  expect(deedsOn(page, 'approve the request of Wed 15 May, 7A Maths')).toEqual([]);
  expect(deedsOn(page, 'approve the request of Wed 15 May, 7A Art')).toEqual(['ref=7A Art']);
});

test('what is said to be so is not made so', () => {
  const person = (name: string, more: object): Node =>
    part('group', name, [
      part('heading', `of ${name}`, [name]),
      control('switch', 'On leave', `leave of ${name}`, more),
    ]);
  const page = [person('S. Brandt', {}), person('S. Brand', { checked: true })];
  expect(deedsOn(page, 'Then S. Brandt is on leave')).toEqual([]);
});

test('what goes on behind a value without quotes is not typed', () => {
  const page = [control('textbox', 'Seats', 'seats')];
  expect(deedsOn(page, 'seats to 10, no save yet')).toEqual([]);
  expect(commandsOn(page, 'set seats to "10, no save yet"')).toMatchObject([
    { parameters: { text: '10, no save yet' } },
  ]);
});

test('the word that a field is called by is no part of the value behind it', () => {
  const page = [
    part('group', 'Allowed domains', [control('textbox', 'add domain', 'domain'), control('button', 'Add', 'add')]),
  ];
  const typed = (step: string) => commandsOn(page, step)[0]?.parameters.text;
  expect(typed('Add the domain harbour.example to the allowed domains')).toBe('harbour.example');
  expect(typed('Type "domain harbour.example" into Add domain')).toBe('domain harbour.example');
});

test('a plus that is called More opens no menu', () => {
  const page = [
    part('group', 'Jasmine Pearls', [
      control('textbox', 'Quantity', 'quantity', { value: '1' }),
      control('generic', 'More', 'plus', { cursor: 'pointer', text: '+' }),
      control('button', 'Add to basket', 'add'),
    ]),
  ];
  expect(deedsOn(page, 'put two packets of Jasmine Pearls into the basket')).not.toContain('ref=plus');
});

test('what was opened for a person is looked for in nobody else', async () => {
  const pupil = (name: string, isOpen: boolean): Node =>
    part('listitem', '', [
      part('article', '', [
        part('heading', name, []),
        control('button', 'Details', `of ${name}`, { expanded: isOpen }),
        control('button', `Remove ${name}`, `remove ${name}`),
      ]),
    ]);
  const names = ['Amelia Brookes', 'Oliver Marsh', 'Grace Adler'];
  const page = (done: readonly string[]): Node[] => [
    part(
      'list',
      'Pupils',
      names.map((name) => pupil(name, name === 'Grace Adler' && done.length > 0)),
    ),
  ];
  const { commands } = await followed('Please to open the details from the girl Adler.', page);
  expect(commands).toEqual(['CLICK_ELEMENT of Grace Adler']);
});

test('a developer names the kind of a field, and an element by its tag', () => {
  const page = [
    control('textbox', 'Plan renews on', 'renews'),
    part('listbox', 'Sort', [control('option', 'Cheapest first', 'cheapest'), control('option', 'Popular', 'popular')]),
  ];
  const set = 'Set the date input "Plan renews on" to 2024-12-15';
  expect(commandsOn(page, set)).toMatchObject([{ parameters: { selector: 'ref=renews', text: '2024-12-15' } }]);
  expect(deedsOn(page, 'choose the li "Cheapest first" in the listbox')).toEqual(['ref=Sort']);
});

test('what stands beside a value in quotes is not typed with it', () => {
  const page = [control('searchbox', 'Search orders', 'search')];
  expect(deedsOn(page, 'search orders 4 "harbour"')).toEqual([]);
  expect(commandsOn(page, 'search orders for "harbour"')).toMatchObject([{ parameters: { text: 'harbour' } }, {}]);
});

test('the mark by which a row is named is typed into no field', () => {
  const row = (plate: string, deed: string): Node =>
    part('row', plate, [part('cell', `cell ${plate}`, [plate]), control('button', deed, plate)]);
  const page = [
    part('table', 'Permits', [row('MM69 QZE', 'Reopen'), row('MM69 QZF', 'Approve')]),
    part('form', 'New', [control('textbox', 'Plate', 'new')]),
  ];
  expect(deedsOn(page, 'Click the "Reopen" button in the table row whose plate is "MM69 QZE".')).not.toContain(
    'ref=new',
  );
});

test('what is cancelled is not done while the page still asks, and a reason may be asked for', async () => {
  const dialog = (children: Node[]): Node => ({ role: 'dialog', ref: 'asks', children }) as unknown as Node;
  const isNew = { since: 'new' };
  const page = (done: readonly string[]): Node[] => [
    control('button', 'Cancel order', 'cancel'),
    ...(done.length === 0
      ? []
      : [
          dialog([
            control('heading', 'Cancel order 325?', 'question', isNew),
            control('button', 'Choose a reason', 'reason', isNew),
            control('button', 'Cancel order', 'really', isNew),
            control('button', 'Keep order', 'keep', isNew),
          ]),
        ]),
  ];
  expect((await followed('cancel the order', page)).isDone).toBe(false);
  expect((await followed('cancel the order, the reason is that customer asked', page)).isDone).toBe(false);
});

test('a sheet that covers the page is closed by its own way out, and a menu beside an entry by its opener', async () => {
  const page =
    (isSheet: boolean) =>
    (done: readonly string[]): Node[] => [
      part('list', 'Jobs', [
        part('listitem', 'Heating Ms Lang', [
          'Heating Ms Lang',
          control('button', 'Job actions', 'more', isSheet && done.length > 0 ? { unreachable: 'covered' } : {}),
          ...(done.length > 0 && !isSheet ? [control('button', 'Call', 'call', { since: 'new' })] : []),
          control('button', 'Close', 'entry', isSheet && done.length > 0 ? { unreachable: 'covered' } : {}),
        ]),
      ]),
      ...(done.length > 0 && isSheet
        ? [
            part('generic', 'sheet', [
              control('button', 'Call', 'call', { since: 'new' }),
              control('button', 'Cancel', 'out'),
            ]),
          ]
        : []),
    ];
  const clicked = async (isSheet: boolean) =>
    (await followed('archive heating ms lang', page(isSheet))).commands.filter((each) => each.startsWith('CLICK'));
  expect(await clicked(true)).toEqual(['CLICK_ELEMENT more', 'CLICK_ELEMENT out']);
  expect(await clicked(false)).toEqual(['CLICK_ELEMENT more', 'CLICK_ELEMENT more']);
});
