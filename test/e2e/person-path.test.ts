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

/** What persons have done, by the log: each command with its element. */
async function doneByPersons(sessionId: string): Promise<string[]> {
  const records = await stack.client.events(sessionId, 0, 1000);
  return records.flatMap(({ type, data }) =>
    data.details?.['by'] === 'person' && type === StreamEventType.COMMAND_COMPLETED
      ? [`${data.command!.action} ${String(data.details['element'])}`]
      : [],
  );
}

test('an order is approved with another quantity and taken over through a death, as its report says', async () => {
  const { sessionId } = await stack.client.start({
    name: 'Order two',
    steps: [
      'Open ${shop}/login',
      'Type "ada" into Username, type "${password}" into Password and click "Sign in"',
      'Open ${shop}/products/trail-shoe',
      { task: 'Type "1" into Quantity and click "Add to cart"' },
      'Click "Checkout"',
      'Wait 20 seconds',
      'Type "4242 4242 4242 4242" into Card number, check "I accept the terms" and click "Place order"',
      'Save the Order number as order_number',
    ],
    variables: { shop: stack.shop, password: { env: 'SHOP_PASSWORD' } },
    config: { agent: { approvalMode: 'always' } },
  });
  await press(link('Waiting'));
  await press(link('Order two'));
  const question = (about: string): Locator => page.getByRole('region', { name: `Question: ${about}` });
  const approve = async (about: string): Promise<void> => {
    await press(question(about).getByRole('button', { name: 'Approve', exact: true })).catch(async (cause: unknown) => {
      const { session, error } = await stack.client.get(sessionId);
      const last = (await stack.client.events(sessionId, 0, 1000))
        .slice(-5)
        .map(({ type, at }) => `${type} ${String(at)}`);
      throw new Error(`The session is ${session.status} (${error?.message}), last: ${last.join(', ')}.`, { cause });
    });
    await question(about).waitFor({ state: 'detached' });
  };
  await approve('Click the button “Sign in”?');
  await press(
    question('Write “1” into the number field “Quantity”?').getByRole('button', { name: 'Edit and approve…' }),
  );
  await write(page.getByLabel('value', { exact: true }), '2');
  await press(button('Approve as edited'));
  await approve('Click the button “Add to cart”?');
  await approve('Click the link “Checkout”?');

  await press(button('Watch live'));
  await page.getByRole('listitem').filter({ hasText: 'Checkout · ' }).first().waitFor();
  await press(button('Take over'));
  const layer = page.getByRole('textbox', { name: /^The session's page/ });
  await layer.waitFor();
  await eventually('the layer has the focus', () => layer.evaluate((element) => element === document.activeElement));
  const done = async (key: string): Promise<string> => {
    const before = (await doneByPersons(sessionId)).length;
    await page.keyboard.press(key);
    return eventually('it is in the log', async () => (await doneByPersons(sessionId))[before]);
  };
  const tabPast = async (name: string): Promise<void> => {
    for (let presses = 0; presses < MOST_TABS; presses += 1) if ((await done('Tab')).includes(name)) return;
    throw new Error(`“${name}” is not reached by Tab.`);
  };
  await tabPast('Sign out');
  await page.keyboard.insertText('Ada Lovelace');
  await eventually('the name is typed', async () => (await doneByPersons(sessionId)).at(-1)!.startsWith('TYPE_TEXT'));
  await killAndAwait(stack, ['browser-1']);
  await done('Tab');
  await page.keyboard.insertText('12 Engine Street');
  await eventually('the address is typed', async () => (await doneByPersons(sessionId)).at(-1)!.includes('Address'));
  await tabPast('Card number');
  await done('ArrowDown');
  await press(button('Hand back'), 'Shift+Tab');
  await approve('Click the button “Place order”?');

  const status = await endOf(stack, sessionId);
  expect({ status, error: (await stack.client.get(sessionId)).error }).toEqual({ status: 'COMPLETED', error: null });
  expect(await doneByPersons(sessionId)).toEqual([
    'PRESS_KEY undefined',
    ...['link “Surefoot Supply”', 'link “Cart (1)”', 'link “Orders”', 'button “Sign out”'].map(
      (each) => `PRESS_KEY ${each}`,
    ),
    ...['Full name', 'Address'].flatMap((name) => [`TYPE_TEXT textbox “${name}”`, `PRESS_KEY textbox “${name}”`]),
    'PRESS_KEY textbox “Card number”',
    'PRESS_KEY radio “Standard”',
  ]);
  const approved = await stack.client.approvals(sessionId, 'approved');
  expect(approved.filter((each) => 'editedArgs' in each)).toMatchObject([
    { by: 'web page', args: { value: '1' }, editedArgs: { value: '2' } },
  ]);
  const { orders } = (await (await fetch(`${stack.shop}/admin/orders`)).json()) as { orders: object[] };
  expect(orders).toMatchObject([{ items: [{ slug: 'trail-shoe', quantity: 2 }] }]);
  const result = page.getByRole('region', { name: 'Result' });
  await result.getByText('order_number', { exact: true }).waitFor();
  const [report] = await Promise.all([page.context().waitForEvent('page'), press(link('Report to share'))]);
  await report.getByRole('heading', { name: 'Order two' }).waitFor();
  expect(await report.getByText('2 × Trail Shoe').count()).toBeGreaterThan(0);
}, 300_000);
