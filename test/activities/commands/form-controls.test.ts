import { a, type StagedSession } from '../../support/browser-session';
import { openBrowserStage, type BrowserStage } from '../../support/browser-harness';

let stage: BrowserStage;
beforeAll(async () => (stage = await openBrowserStage()));
afterAll(() => stage.stop());

/** One session for all: what a form holds is gone with its page. */
let shared: StagedSession | undefined;
async function on(path: string): Promise<StagedSession> {
  shared ??= await stage.newSession({ variables: { who: 'Ada', greeting: 'Dear ${who}' } });
  await shared.open(path);
  return shared;
}

test('replaces the value of a field', async () => {
  const session = await on('/parts/form');
  await session.did([
    a('INPUT_TEXT', { selector: '#name', text: 'first' }),
    a('INPUT_TEXT', { selector: '#name', text: 'second' }),
    a('INPUT_TEXT', { selector: '#notes', text: '${greeting}, ${unknown}' }),
    a('INPUT_TEXT', { selector: '#story', text: 'Once' }),
    a('INPUT_TEXT', { selector: '#day', text: '2026-02-03' }),
    a('CLICK_ELEMENT', { selector: 'role=button[name="Send"]' }),
  ]);
  const text = await session.page().locator('#status').textContent();
  expect(text).toContain('name=second');
  expect(text).toContain('notes=Dear Ada, ${unknown}');
  expect(text).toContain('day=2026-02-03');
  expect(text).toContain('story=Once');
});

test('[S1.A7] empties a field when the text is empty', async () => {
  const session = await on('/parts/form');
  await session.did([
    a('INPUT_TEXT', { selector: '#name', text: 'first' }),
    a('INPUT_TEXT', { selector: '#name', text: '' }),
  ]);
  expect(await session.page().inputValue('#name')).toBe('');
});

test.each([
  ['no text', a('INPUT_TEXT', { selector: '#name' }), 'text'],
  ['no selector', a('CLICK_ELEMENT', {}), 'selector'],
  ['an empty selector', a('CLICK_ELEMENT', { selector: '' }), 'selector'],
  ['a member too many', a('GET_DOM', { url: 'http://127.0.0.1/' }), 'url'],
  ['a name that is none', a('SAVE_VARIABLE', { selector: '#name', variableName: '1st' }), 'variableName'],
])('[S1.R9, S1.A7] refuses a command with %s', async (_, draft, member) => {
  const session = await on('/parts/form');
  const { outcomes } = await session.run([draft]);
  expect(outcomes).toMatchObject([{ status: 'failed', code: 'SM002' }]);
  expect(outcomes[0]?.message).toContain(member);
});

test('fails where text can not be typed', async () => {
  const session = await on('/parts/form');
  const { outcomes } = await session.run([a('INPUT_TEXT', { selector: 'h1', text: 'x' })]);
  expect(outcomes).toMatchObject([{ status: 'failed' }]);
  expect(outcomes[0]?.message).toMatch(/not an <input>/);
});

test('saves the text of an element, or the value of an input, a textarea or a select', async () => {
  const session = await on('/parts/form');
  const { outcomes } = await session.did([
    a('INPUT_TEXT', { selector: '#name', text: ' Ada ' }),
    a('INPUT_TEXT', { selector: '#notes', text: 'two\nlines' }),
    a('SELECT_OPTION', { selector: '#country', option: 'Norway' }),
    a('SAVE_VARIABLE', { selector: 'h1', variableName: 'heading' }),
    a('SAVE_VARIABLE', { selector: '#name', variableName: 'name' }),
    a('SAVE_VARIABLE', { selector: '#notes', variableName: 'notes' }),
    a('SAVE_VARIABLE', { selector: '#country', variableName: 'country' }),
  ]);
  expect(outcomes).toHaveLength(7);
  expect(await session.variable('heading')).toBe('Every control');
  expect(await session.variable('name')).toBe(' Ada ');
  expect(await session.variable('notes')).toBe('two\nlines');
  expect(await session.variable('country')).toBe('no');
});

test('saves of a cell that only holds a field the value of that field', async () => {
  const session = await on('/parts/form');
  await session.page().setContent('<table><tr><td id="hours"><input value="80"></td></tr></table>');
  await session.did([a('SAVE_VARIABLE', { selector: '#hours', variableName: 'hours' })]);
  expect(await session.variable('hours')).toBe('80');
});

test('uses a variable that an earlier batch saved', async () => {
  const session = await on('/parts/form');
  // A name that no other test saves: it must be this batch that saved it.
  await session.did([a('SAVE_VARIABLE', { selector: 'h1', variableName: 'taken' })]);
  await session.did([a('INPUT_TEXT', { selector: '#name', text: '<${taken}>' })]);
  expect(await session.page().inputValue('#name')).toBe('<Every control>');
});

test('uses a variable that a command before it in the same batch saved, or saved anew', async () => {
  const session = await on('/parts/form');
  await session.did([
    a('INPUT_TEXT', { selector: '#notes', text: 'copied, with a space ' }),
    a('SAVE_VARIABLE', { selector: '#notes', variableName: 'who' }),
    a('INPUT_TEXT', { selector: '#name', text: '${who}' }),
  ]);
  expect(await session.page().inputValue('#name')).toBe('copied, with a space ');
});

test('a page has the focus, so that a field that gets it hears of it', async () => {
  const session = await on('/parts/form');
  const page = session.page();
  await page.evaluate(() => {
    document.querySelector('#name')!.addEventListener('focus', () => (document.title = 'It has the focus'));
  });
  await session.did([a('FOCUS_ELEMENT', { selector: '#name' }), a('EXPECT', { title: 'It has the focus' })]);
  expect(await page.evaluate(() => document.hasFocus())).toBe(true);
});

test('selects by label, else by value, and lists the options when none matches', async () => {
  const session = await on('/parts/form');
  const select = (option: string) => a('SELECT_OPTION', { selector: '#country', option });
  await session.did([select('austria')]);
  expect(await session.page().inputValue('#country')).toBe('at');
  await session.did([select('ch')]);
  expect(await session.page().inputValue('#country')).toBe('ch');
  const { outcomes } = await session.run([select('Mars')]);
  expect(outcomes).toMatchObject([{ status: 'failed', code: 'EX002' }]);
  expect(outcomes[0]?.message).toContain('the options are “Choose one”, “Austria”, “Switzerland”, “Norway”');
  const other = await session.run([a('SELECT_OPTION', { selector: '#name', option: 'x' })]);
  expect(other.outcomes).toMatchObject([{ status: 'failed', code: 'EX003' }]);
});

test('checks and unchecks a checkbox and a switch, and checks a radio button', async () => {
  const session = await on('/parts/form');
  const page = session.page();
  const [news, alerts, expert] = [
    await session.target('checkbox', 'Send me news'),
    await session.target('switch', 'Weather alerts'),
    await session.target('radio', 'Expert'),
  ];
  const set = (target: typeof news, checked: boolean) =>
    a('SET_CHECKED', { selector: target.selector, checked }, target);
  await session.did([set(news, true), set(news, true), set(alerts, true), set(expert, true)]);
  expect([await page.isChecked('[name=news]'), await page.isChecked('[name=alerts]')]).toEqual([true, true]);
  expect(await page.isChecked('[value=expert]')).toBe(true);
  await session.did([set(news, false), set(alerts, false)]);
  expect([await page.isChecked('[name=news]'), await page.isChecked('[name=alerts]')]).toEqual([false, false]);
  expect((await session.run([set(expert, false)])).outcomes).toMatchObject([{ status: 'failed' }]);
});

test('presses a key on an element, or on the focused one, also inside an iframe', async () => {
  const session = await on('/parts/keys');
  await session.did([
    a('INPUT_TEXT', { selector: '#message', text: 'hi' }),
    a('PRESS_KEY', { key: 'Enter', selector: '#message' }),
    a('EXPECT', { text: 'Sent: hi' }),
    a('PRESS_KEY', { key: 'Escape' }),
    a('EXPECT', { text: 'Cleared' }),
  ]);
  await session.open('/parts/iframe');
  await session.page().frameLocator('iframe').locator('#press').focus();
  expect(
    await session.did([a('PRESS_KEY', { key: 'Enter' }), a('EXPECT', { text: 'The frame says: pressed' })]),
  ).toMatchObject({ isInterrupted: false });
});

test('reports an unknown key', async () => {
  const session = await on('/parts/keys');
  const { outcomes } = await session.run([a('PRESS_KEY', { key: 'Launch' })]);
  expect(outcomes).toMatchObject([{ status: 'failed', code: 'SM002' }]);
  expect(outcomes[0]?.message).toContain('There is no key “Launch”');
});
