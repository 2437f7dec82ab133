/** A page that loads itself anew loses what was filled in: nothing is sent without it. */
import { a, type StagedSession } from '../../support/browser-session';
import { openBrowserStage, type BrowserStage } from '../../support/browser-harness';
import { startSite, type TestSite } from '../../support/sites';
import { endOfStep } from '../../support/step-by-rules';

let stage: BrowserStage;
let site: TestSite;
let session: StagedSession;
const FORM = `<title>Note</title><label>Comment <input id=c></label><label><input type=checkbox id=b>Public</label>
<button id=send>Send</button><script>send.onclick = () => fetch('/sent?' + c.value + '-' + b.checked, { method: 'POST' });`;
/** What a page does beside its form. */
const PAGES = {
  '/note': '',
  '/kept': `c.value = localStorage.kept ?? ''; c.oninput = () => (localStorage.kept = c.value);`,
  // It reloads in the middle of the first typing.
  // A list that posts when it is chosen from, and is shown anew without the choice.
  '/posting': `document.body.insertAdjacentHTML('beforeend', '<form method=post action=/posting><label>Add <select name=add onchange="setTimeout(() => form.submit(), 300)"><option value="">-<option>one</select></label></form>');`,
  '/restless': `c.oninput = () => { if (sessionStorage.once) return; sessionStorage.once = 1; location.reload(); };`,
};

beforeAll(async () => {
  stage = await openBrowserStage();
  site = await startSite(
    Object.fromEntries(Object.entries(PAGES).map(([path, script]) => [path, `${FORM}${script}</script>`])),
  );
});
afterAll(async () => {
  site.close();
  await stage.stop();
});

const COMMENT = { selector: 'role=textbox[name="Comment"]' };
const type = a('INPUT_TEXT', { ...COMMENT, text: 'hello' });
const tick = a('SET_CHECKED', { selector: 'role=checkbox[name="Public"]', checked: true });
const send = a('CLICK_ELEMENT', { selector: 'role=button[name="Send"]' });
const sent = (): string[] => site.asked.filter((asked) => asked.startsWith('POST'));

async function on(path: string): Promise<void> {
  session = await stage.newSession();
  await session.open(site.url + path);
  site.asked.length = 0;
}

test.each([
  ['typed', type, 'POST /sent?hello-false '],
  ['ticked', tick, 'POST /sent?-true '],
])('what was %s and is lost is not sent without it, and is filled in again', async (_, fill, whole) => {
  await on('/note');
  await session.did([fill]);
  await session.page().reload();
  const { outcomes } = await session.run([send]);
  expect(outcomes).toMatchObject([
    { status: 'failed', code: 'EX002', message: expect.stringContaining('loaded anew') },
  ]);
  expect(sent()).toEqual([]);
  expect((await session.journal())[1]).toMatchObject({ evidence: { lostWith: 'document' } });
  await session.did([fill, send]);
  expect(sent()).toEqual([whole]);
});

test.each([
  ['keeps what was typed', '/kept', async () => void (await session.page().reload())],
  ['is another one now', '/note', () => session.open(`${site.url}/note?other`)],
])('a page that %s can be clicked', async (_, path, meanwhile) => {
  await on(path);
  await session.did([type]);
  await meanwhile();
  await session.did([send]);
  expect(sent()).toHaveLength(1);
});

test('an address that is opened again has lost nothing by itself', async () => {
  await on('/note');
  await session.did([type]);
  await session.open(`${site.url}/note`);
  await session.did([send]);
  expect(sent()).toEqual(['POST /sent?-false ']);
});

test('a list that sends its choice is not chosen from twice, and what is clicked next is clicked', async () => {
  await on('/posting');
  await session.did([a('SELECT_OPTION', { selector: 'role=combobox[name="Add"]', option: 'one' })]);
  await session.page().waitForFunction(() => document.querySelector('select')!.value === '');
  await session.did([send]);
  expect(sent().map((asked) => asked.split(' ')[1])).toEqual(['/posting', '/sent?-false']);
});

test('a step whose page reloads itself under its typing sends once, and whole', async () => {
  await on('/restless');
  expect(await endOfStep(session, 'Type "hello" into Comment and click Send')).toMatchObject({ action: 'PROCEED' });
  expect(sent()).toEqual(['POST /sent?hello-false ']);
});
