/** A person looks at the page of a running session on the whole product, in a real Chromium. */
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright';
import { StreamEventType } from '../../contracts/events/stream-event';
import { eventually } from '../support/eventually';
import { killAndAwait } from '../support/kill';
import { startSite } from '../support/sites';
import { violations } from '../web/axe';
import { photograph } from '../web/photograph';
import { endOf, ONE_OF_EACH, startWholeStack, type WholeStack } from '../support/whole-stack';

let stack: WholeStack;
let browser: Browser;
beforeAll(async () => {
  stack = await startWholeStack({}, ONE_OF_EACH);
  browser = await chromium.launch({ executablePath: stack.chromiumPath, args: ['--no-sandbox'] });
}, 180_000);
afterAll(async () => {
  await browser.close();
  await stack.stop();
}, 60_000);

/** Opens a session as the start of the stack prints it: with the key behind the address. */
async function open(sessionId: string, options: BrowserContextOptions = {}): Promise<Page> {
  const page = await (await browser.newContext({ reducedMotion: 'reduce', ...options })).newPage();
  page.setDefaultTimeout(90_000);
  const [api, key] = stack.stack.addresses.page!.split('/#');
  await page.goto(`${api}/sessions/${sessionId}#${key}`);
  return page;
}

test('a paused session is watched live with its tabs, and the viewer learns that it has ended', async () => {
  const { sessionId } = await stack.client.start({
    steps: [`Open ${stack.shop}/parts/counter`, { tool: 'find', args: { query: 'the button Add one' } }],
    config: { agent: { approvalMode: 'always' } },
  });
  const page = await open(sessionId);
  await page.getByRole('region', { name: /^Question: Look for/ }).waitFor();
  await page.getByRole('button', { name: 'Watch live' }).click();
  const live = page.getByRole('region', { name: 'Live view' });
  await live.getByRole('img', { name: 'The page as it is now' }).waitFor();
  await live.getByRole('listitem').filter({ hasText: 'Counter' }).waitFor();
  expect(await violations(page)).toEqual([]);
  await stack.client.cancel(sessionId);
  await live.waitFor({ state: 'detached' });
  await page.getByRole('slider', { name: 'Picture' }).waitFor();
  expect(await page.getByRole('button', { name: 'Watch live' }).count()).toBe(0);
}, 180_000);

/** What persons have done, by the log: each command with its element and how it ended. */
async function doneByPersons(sessionId: string): Promise<string[]> {
  const records = await stack.client.events(sessionId, 0, 1000);
  return records.flatMap(({ type, data }) =>
    data.details?.['by'] === 'person' && type !== StreamEventType.COMMAND_STARTED
      ? [`${data.command!.action} ${String(data.details['element'])} ${type}`]
      : [],
  );
}

test('a person takes over, acts, and hands back, though the browser worker is killed meanwhile', async () => {
  const { sessionId } = await stack.client.start({
    steps: [`Open ${stack.shop}/parts/counter`, 'Wait 10 seconds', 'Click "Add one"', 'Save the Count as count'],
  });
  const page = await open(sessionId);
  await page.getByRole('button', { name: 'Watch live' }).click();
  const live = page.getByRole('region', { name: 'Live view' });
  await live.getByRole('listitem').filter({ hasText: 'Counter' }).waitFor();
  await photograph(page, 'live-view', { height: 900 });
  await live.getByRole('button', { name: 'Take over' }).click();
  const layer = live.getByRole('textbox', { name: /^The session's page/ });
  await layer.waitFor();
  expect(await violations(page)).toEqual([]);
  const add = async (times: number): Promise<void> => {
    for (const key of ['Tab', 'Tab', 'Enter']) await layer.press(key);
    await eventually('it is in the log', async () => (await doneByPersons(sessionId)).length === 3 * times);
  };
  await add(1);
  await killAndAwait(stack, ['browser-1']);
  await add(2);
  await photograph(page, 'takeover', { height: 900 });
  await live.getByRole('button', { name: 'Hand back' }).click();
  await endOf(stack, sessionId);
  expect((await stack.client.get(sessionId)).error).toBeNull();
  const presses = (await doneByPersons(sessionId)).filter((each) => each.includes('Add one'));
  const [count] = (await stack.client.variables(sessionId)).filter(({ name }) => name === 'count');
  expect(presses).toEqual(Array(2).fill('PRESS_KEY button “Add one” COMMAND_COMPLETED'));
  // Two of the person, and the one of the session.
  expect(String(count!.value)).toContain('3');
  await page.goto(`${new URL(page.url()).origin}/v1/sessions/${sessionId}/report`);
  await page.getByRole('region', { name: 'What happens' }).waitFor();
  await photograph(page, 'report', { height: 1100 });
}, 240_000);

test('a person chooses in a list and goes to another tab, though the browser worker is killed meanwhile', async () => {
  const site = await startSite({
    '/': `<title>Sizes</title><label>Size <select style="position: absolute; inset: 200px auto auto 300px"><option>Small</option><option>Large</option></select></label>
      <a href="/more" target="_blank">More</a>`,
    '/more': '<title>More</title><h1>More</h1>',
  });
  const { sessionId } = await stack.client.start({
    steps: [`Open ${site.url}/`, 'Click "More"', 'Switch to tab 1', 'Wait 20 seconds'],
  });
  const page = await open(sessionId);
  await page.getByRole('button', { name: 'Watch live' }).click();
  const live = page.getByRole('region', { name: 'Live view' });
  await live.getByRole('listitem').filter({ hasText: 'More' }).waitFor();
  await live.getByRole('button', { name: 'Take over' }).click();
  const layer = live.getByRole('textbox', { name: /^The session's page/ });
  const { width } = (await layer.boundingBox())!;
  await layer.click({ position: { x: (310 * width) / 1280, y: (210 * width) / 1280 } });
  const list = live.getByRole('listbox', { name: /^Choose “Size”/ });
  await list.waitFor();
  expect(await violations(page)).toEqual([]);
  await killAndAwait(stack, ['browser-1']);
  await list.press('ArrowDown');
  await list.press('Enter');
  await list.waitFor({ state: 'detached' });
  await live.getByRole('button', { name: 'More' }).click();
  await live.locator('li[aria-current]').filter({ hasText: 'More' }).waitFor();
  await live.getByRole('button', { name: 'Hand back' }).click();
  await live.getByRole('button', { name: 'Take over' }).waitFor();
  expect(await doneByPersons(sessionId)).toEqual([
    'CLICK_ELEMENT combobox “Size” COMMAND_COMPLETED',
    'SELECT_OPTION combobox “Size” COMMAND_COMPLETED',
    'SWITCH_TAB undefined COMMAND_COMPLETED',
  ]);
  await stack.client.cancel(sessionId);
  site.close();
}, 240_000);

/** Draws a finger over the page, from one place to another. */
async function drag(page: Page, x: number, [from, to]: [number, number]): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', y?: number) =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints: y === undefined ? [] : [{ x, y }] });
  await touch('touchStart', from);
  for (let part = 1; part <= 4; part += 1) await touch('touchMove', from + ((to - from) * part) / 4);
  await touch('touchEnd');
}

test('dialogs, copied text, files and touch of a person outlast the death of the worker', async () => {
  const site = await startSite({
    '/': `<title>Orders</title><body style="margin:0;height:3000px">
      <button style="position:absolute;left:100px;top:100px;width:300px;height:100px"
        onclick="show('Named ' + prompt('Name it'))">Rename</button>
      <button style="position:absolute;left:100px;top:300px;width:300px;height:100px" onclick="file.click()">Attach</button>
      <input type="file" id="file" hidden onchange="show(file.files[0].name)">
      <input aria-label="Number" value="4711" style="position:absolute;left:100px;top:500px;width:300px;height:100px"
        onclick="this.select()"><p id="shown"></p>
      <script>show = (text) => { document.title = text; document.getElementById('shown').textContent = text; }</script></body>`,
  });
  const { sessionId } = await stack.client.start({ steps: [`Open ${site.url}/`, 'Wait 30 seconds'] });
  const page = await open(sessionId, { hasTouch: true, permissions: ['clipboard-read', 'clipboard-write'] });
  await page.getByRole('button', { name: 'Watch live' }).click();
  const live = page.getByRole('region', { name: 'Live view' });
  await live.getByRole('listitem').filter({ hasText: 'Orders' }).waitFor();
  await live.getByRole('button', { name: 'Take over' }).click();
  const layer = live.getByRole('textbox', { name: /^The session's page/ });
  const tap = async (y: number): Promise<void> => {
    const { width } = (await layer.boundingBox())!;
    await layer.tap({ position: { x: (250 * width) / 1280, y: (y * width) / 1280 } });
  };
  await tap(150);
  const dialog = live.getByRole('alertdialog', { name: 'The page says: Name it' });
  await dialog.waitFor();
  expect(await violations(page)).toEqual([]);
  expect(await layer.count()).toBe(0);
  await killAndAwait(stack, ['browser-1']);
  await dialog.getByLabel('Your answer').fill('Mine');
  await dialog.getByRole('button', { name: 'OK' }).tap();
  await live.getByRole('listitem').filter({ hasText: 'Named Mine' }).waitFor();

  await tap(350);
  await live.getByLabel('The page asks for a file for “Attach”').setInputFiles({
    name: 'hello.txt',
    mimeType: 'text/plain',
    buffer: Buffer.from('Hello'),
  });
  await live.getByRole('listitem').filter({ hasText: 'hello.txt' }).waitFor();
  await tap(550);
  await live.getByRole('button', { name: 'Copy what is selected' }).tap();
  await live.getByText('Copied to your clipboard: 4 characters.').waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('4711');
  const box = (await layer.boundingBox())!;
  await drag(page, box.x + 20, [box.y + 200, box.y + 50]);
  await eventually('it is in the log', async () => (await doneByPersons(sessionId)).length >= 7);
  await live.getByRole('button', { name: 'Hand back' }).click();
  await live.getByRole('button', { name: 'Take over' }).waitFor();
  expect((await doneByPersons(sessionId)).slice(0, 7)).toEqual([
    'CLICK_ELEMENT button “Rename” COMMAND_COMPLETED',
    'HANDLE_DIALOG undefined COMMAND_COMPLETED',
    'CLICK_ELEMENT button “Attach” COMMAND_COMPLETED',
    'UPLOAD_FILE button “Attach” COMMAND_COMPLETED',
    'CLICK_ELEMENT textbox “Number” COMMAND_COMPLETED',
    'PRESS_KEY textbox “Number” COMMAND_COMPLETED',
    'SCROLL undefined COMMAND_COMPLETED',
  ]);
  await stack.client.cancel(sessionId);
  site.close();
}, 240_000);
