/** Explicit tasks in a paired browser: the built-in model knows its page by the results of read_page. */
import type { PastTurn } from '../../../contracts/model-port/port';
import { createRulesModel } from '../../../rules/rules-model';
import { parsePage } from '../../../rules/tasks/parsed-page';
import { BROWSER_TOOLS, REMOTE_BROWSER_TOOLS } from '../../../contracts/tools/browser-tools';

const tools = REMOTE_BROWSER_TOOLS.map((name) => ({ name, description: '', parameters: {} }));

type End = PastTurn['outcomes'][number];
const DONE: End = { status: 'done' };
const failed = (message: string): End => ({ status: 'failed', error: { code: 'TL001', message } });

const LOGIN = `Sign in — https://shop.test/login
[1] heading "Sign in"
Name and password, please.
[2] textbox "Username"
[3] textbox "Password" (value hidden)
[4] button "Sign in"`;
const HOME = `Shop — https://shop.test/
[5] link "Cart" (to https://shop.test/cart)
Welcome, ada`;

/** A task played to its end: what each call gives, and the result of read_page from then on. */
async function play(
  task: string,
  page: (call: string, count: number) => string,
  end: (call: string) => End = () => DONE,
) {
  const model = createRulesModel();
  const past: PastTurn[] = [];
  const called: string[][] = [];
  let pageText = '';
  let count = 0;
  for (let turn = 0; turn < 40; turn += 1) {
    const base = { system: '', messages: [], tools, task, stepIndex: 0, maxSteps: 50, variables: ['password'] };
    const look = { snapshotId: '', url: 'about:blank', title: '', tabs: [], nodes: [] };
    const { text, functionCalls, raw, isGivenUp } = await model.turn({
      ...base,
      turn,
      snapshot: look,
      pastTurns: past,
      remotePageText: pageText,
    });
    if (functionCalls.length === 0) return { called, text, isGivenUp: isGivenUp === true };
    const names = functionCalls.map(({ name, args }) => {
      BROWSER_TOOLS[name as (typeof REMOTE_BROWSER_TOOLS)[number]].parameters.parse(JSON.parse(args));
      return `${name} ${Object.values(JSON.parse(args) as object).join(' ')}`.trim();
    });
    called.push(names);
    const ends = names.map(end);
    for (const [index, name] of names.entries()) {
      count += 1;
      if (name !== 'read_page') pageText = page(name, count) === '' ? pageText : page(name, count);
      else if (ends[index] === DONE && pageText === '') pageText = page(name, count);
    }
    // It stands in the store as it is.
    past.push({
      turn,
      raw: JSON.parse(JSON.stringify(raw)),
      calls: functionCalls.map(({ name }) => name),
      outcomes: ends,
    });
  }
  throw new Error('The task did not end.');
}

test('an explicit task opens, reads, fills in by refs of the page text, and reads after each click', async () => {
  const task =
    'Go to https://shop.test/login. Fill in the Username field with ada. Type "lovelace" into Password. Click the button Sign in. Expect "Welcome, ada".';
  const { called, text } = await play(task, (call) =>
    call.startsWith('navigate') ? LOGIN : call.includes('left_click 4') ? HOME : '',
  );
  expect(called).toEqual([
    ['navigate https://shop.test/login', 'read_page'],
    ['form_input 2 ada'],
    ['form_input 3 lovelace'],
    ['computer left_click 4', 'read_page'],
  ]);
  expect(text).toContain('All that was asked is done');
});

test('a task on the page that is there reads it first, and what was filled in before it judges', async () => {
  const { called, text } = await play('Fill in the Username field with ada and expect "please"', () => LOGIN);
  expect(called).toEqual([['read_page'], ['form_input 2 ada'], ['read_page']]);
  expect(text).toContain('All that was asked is done');
});

test('a text that is not there yet is looked for again and again, and the task goes on when it comes', async () => {
  const task = 'Wait for "Welcome, ada", then click Cart';
  const { called } = await play(task, (call, count) => (count === 1 ? LOGIN : count > 5 ? HOME : ''));
  const poll = ['computer wait 1', 'read_page'];
  expect(called).toEqual([['read_page'], poll, poll, poll, ['computer left_click 5', 'read_page']]);
});

test('what never comes ends the task with a sentence, after so many looks', async () => {
  const expecting = await play('Expect "Welcome, ada"', () => LOGIN);
  expect(expecting.called).toHaveLength(1 + 5);
  expect(expecting).toMatchObject({
    isGivenUp: true,
    text: expect.stringMatching(/^I could not do this: .*Welcome, ada/),
  });
  const missing = await play('Click Cart', () => LOGIN);
  expect(missing.called).toHaveLength(1 + 5);
  expect(missing.text).toMatch(/^I could not do this: .*Cart/);
});

test('an element that went with its page is looked up and pressed again; another failure is not repeated', async () => {
  let isStale = true;
  const again = await play(
    'Click Sign in',
    () => LOGIN,
    (call) => {
      if (!call.includes('left_click') || !isStale) return DONE;
      isStale = false;
      return failed('There is no element 4: ids hold until the next read_page or find. Read it again.');
    },
  );
  expect(again.called.flat().filter((call) => call.includes('left_click'))).toHaveLength(2);
  expect(again.text).toContain('All that was asked is done');
  const unknown = failed('The browser gave no answer: whether this took effect is unknown.');
  const lost = await play(
    'Click Sign in',
    () => LOGIN,
    (call) => (call.includes('left_click') ? unknown : DONE),
  );
  expect(lost.called.flat().filter((call) => call.includes('left_click'))).toHaveLength(1);
  expect(lost).toMatchObject({ isGivenUp: true, text: expect.stringContaining('unknown') });
});

test('a page that can not be read is given up with the browser’s words; no variables are sent there', async () => {
  const closed = await play(
    'Click Cart',
    () => LOGIN,
    () => failed('Cannot access a chrome:// URL'),
  );
  expect(closed.called).toEqual([['read_page'], ['read_page'], ['read_page']]);
  expect(closed.text).toContain('Cannot access a chrome:// URL');
  const secret = await play('Type "${password}" into Password', () => LOGIN);
  expect(secret.text).toContain('not sent to a remote browser');
});

test('a key that is meant for a field goes where the field has the focus', async () => {
  const { called } = await play('Type "ada" into Username and press Enter', () => LOGIN);
  expect(called.at(-1)).toEqual(['computer left_click 2', 'computer key Enter', 'read_page']);
});

describe('the page as it was pageText', () => {
  test('becomes title, address, and a tree of elements with their states', () => {
    const page = parsePage(`A — B — https://shop.test/
[7] combobox "Size" (value "M")
  [8] option "S"
  [9] option "M"
[10] checkbox "A "fine" gift" (checked, disabled)
[11] link "Cart (2)" (to https://shop.test/cart)`);
    expect(page).toMatchObject({ title: 'A — B', url: 'https://shop.test/' });
    expect(page.nodes).toMatchObject([
      { role: 'combobox', name: 'Size', ref: 'e7', text: 'M', children: [{ name: 'S', ref: 'e8' }, { ref: 'e9' }] },
      { role: 'checkbox', name: 'A "fine" gift', checked: true, disabled: true },
      { role: 'link', name: 'Cart (2)', url: 'https://shop.test/cart' },
    ]);
  });

  test('has no ref where words of the page read like an element with the number of another', () => {
    const { nodes } = parsePage(`Forum — https://forum.test/
[1] button "Reply"
[2] button "Sign in"
[2] button "Delete account"`);
    expect(nodes).toMatchObject([{ ref: 'e1' }, {}, {}]);
    expect(nodes.slice(1).some((node) => typeof node !== 'string' && 'ref' in node)).toBe(false);
  });
});
