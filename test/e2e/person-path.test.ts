/** A person's whole path through the page, by keyboard alone, on the whole product in a real Chromium. */
import { chromium, type Browser, type Locator, type Page } from 'playwright';
import { StreamEventType } from '../../contracts/events/stream-event';
import { eventually } from '../support/eventually';
import { chromesOf, killAndAwait } from '../support/kill';
import { endOf, ONE_OF_EACH, startWholeStack, type WholeStack } from '../support/whole-stack';

let stack: WholeStack;
let browser: Browser;
let page: Page;
beforeAll(async () => {
  stack = await startWholeStack({}, ONE_OF_EACH);
  browser = await chromium.launch({ executablePath: stack.chromiumPath, args: ['--no-sandbox'] });
  page = await (await browser.newContext({ reducedMotion: 'reduce' })).newPage();
  page.setDefaultTimeout(90_000);
  await page.goto(stack.stack.addresses.page!);
}, 180_000);
afterAll(async () => {
  await browser.close();
  await stack.stop();
}, 60_000);

const MOST_TABS = 200;

/** Goes from control to control until this one has the focus. */
async function reach(target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  await target.waitFor();
  for (let presses = 0; presses < MOST_TABS; presses += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press(key);
  }
  throw new Error(`${String(target)} is not reached by ${key}.`);
}

async function press(target: Locator, key?: 'Shift+Tab'): Promise<void> {
  await reach(target, key);
  await page.keyboard.press('Enter');
}

async function write(field: Locator, text: string): Promise<void> {
  await reach(field);
  await page.keyboard.press('Control+A');
  await page.keyboard.insertText(text);
}

const button = (name: string): Locator => page.getByRole('button', { name, exact: true });
const link = (name: string): Locator => page.getByRole('link', { name, exact: true });

test('a session is started and watched, and says that its browser was lost on the way', async () => {
  await press(link('Start'));
  await write(page.getByLabel('Steps', { exact: true }), 'Open ${shop}/parts/counter\nWait 8 seconds\nClick "Add one"');
  await press(page.getByRole('button', { name: 'Add', exact: true }).first());
  await write(page.getByLabel('Variable 1: Name'), 'shop');
  await write(page.getByLabel('Variable 1: Value'), stack.shop);
  await press(button('Start'));
  await page.waitForURL(/\/sessions\/[0-9a-f-]{36}$/);
  const sessionId = page.url().split('/').at(-1)!;
  await press(button('Watch live'));
  await page.getByRole('img', { name: 'The page as it is now' }).waitFor();
  await page.getByRole('listitem').filter({ hasText: 'Counter' }).first().waitFor();
  for (const pid of chromesOf(stack, sessionId)) process.kill(pid, 'SIGKILL');
  await page.getByText('The browser of this session was lost.').first().waitFor();
  expect(await endOf(stack, sessionId)).toBe('COMPLETED');
  await page.getByText('Session completed: All 3 steps are done.').waitFor();
}, 240_000);

/** What persons have pressed, by the log. */
async function pressedByPersons(sessionId: string): Promise<string[]> {
  const records = await stack.client.events(sessionId, 0, 1000);
  return records.flatMap(({ type, data }) =>
    data.details?.['by'] === 'person' && type === StreamEventType.COMMAND_COMPLETED
      ? [`${data.command!.action} ${String(data.details['element'])}`]
      : [],
  );
}

test('an order is approved with an edit and taken over through a death; its report has it all', async () => {
  const { sessionId } = await stack.client.start({
    name: 'Order two',
    steps: [
      `Open ${stack.shop}/parts/counter`,
      { tool: 'navigate', args: { url: `${stack.shop}/parts/counter?number=1` } },
      'Wait 10 seconds',
      'Save the Count as count',
    ],
    config: { agent: { approvalMode: 'always' } },
  });
  await press(link('Waiting'));
  await press(button('Edit and approve…'));
  await write(page.getByLabel('url'), `${stack.shop}/parts/counter?number=2`);
  await press(button('Approve as edited'));
  await page.getByText('Nobody waits for you').waitFor();
  await press(link('Order two'));

  await press(button('Watch live'));
  await press(button('Take over'));
  const layer = page.getByRole('textbox', { name: /^The session's page/ });
  await layer.waitFor();
  const addOne = async (times: number): Promise<void> => {
    for (const key of ['Tab', 'Tab', 'Enter']) await page.keyboard.press(key);
    await eventually('it is in the log', async () => (await pressedByPersons(sessionId)).length === 3 * times);
  };
  await eventually('the layer has the focus', () => layer.evaluate((element) => element === document.activeElement));
  await addOne(1);
  await killAndAwait(stack, ['browser-1']);
  await addOne(2);
  await press(button('Hand back'), 'Shift+Tab');

  const status = await endOf(stack, sessionId);
  expect({ status, error: (await stack.client.get(sessionId)).error }).toEqual({ status: 'COMPLETED', error: null });
  const presses = (await pressedByPersons(sessionId)).filter((each) => each.includes('Add one'));
  expect(presses).toEqual(Array(2).fill('PRESS_KEY button “Add one”'));
  const [answered] = await stack.client.approvals(sessionId, 'approved');
  expect(answered).toMatchObject({ by: 'web page', editedArgs: { url: `${stack.shop}/parts/counter?number=2` } });
  const result = page.getByRole('region', { name: 'Result' });
  await result.getByText('count', { exact: true }).waitFor();
  const [report] = await Promise.all([page.context().waitForEvent('page'), press(link('Report to share'))]);
  await report.getByRole('heading', { name: 'Order two' }).waitFor();
  expect(await report.getByText('number=2').count()).toBeGreaterThan(0);
}, 300_000);
