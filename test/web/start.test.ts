/** The form that starts sessions, in a real Chromium on the real API: examples, recipes, files, and what is understood. */
import type { Page } from 'playwright';
import { aSession } from '../api/fixture';
import { violations } from './axe';
import { photograph } from './photograph';
import { PAGE_KEY, startPageStage, type PageStage } from './page-stage';

let stage: PageStage;
let address: string;
beforeAll(async () => {
  stage = await startPageStage();
  address = await stage.at();
}, 60_000);
afterAll(() => stage.stop());

const open = (options?: Parameters<PageStage['open']>[1]): Promise<Page> =>
  stage.open(`${address}/start#sign-in=${PAGE_KEY}`, { reducedMotion: 'reduce', ...options });

test('an example fills the form, and each step says what is understood of it, as it is typed', async () => {
  const page = await open();
  await page.getByLabel('Begin with').selectOption('Buy a shoe in the demo shop');
  const understood = page.getByRole('region', { name: 'What is understood' });
  await understood.getByText('understood').nth(9).waitFor();
  await photograph(page, 'start', { height: 1000 });
  expect(await page.getByLabel('Variable 2: or environment variable').inputValue()).toBe('SHOP_PASSWORD');
  const steps = page.getByLabel('Steps', { exact: true });
  await steps.fill('Open ${shop}/login\nType "ada" into Username and click "Sign in"\nType "${nobody}" into Password');
  await understood.getByText('nobody').first().waitFor();
  const [open1, both, missing] = await understood.locator('ol > li').allInnerTexts();
  expect(open1).toMatch(/^✓ Open .*: understood$/);
  expect(both).toMatch(/click "Sign in"$/);
  expect(missing).toMatch(/^✗ .*There is no variable “nobody”/);
  await steps.fill('Find the cheapest tent');
  await page.getByRole('button', { name: 'A task' }).click();
  await understood.getByText('a model decides when it runs').waitFor();
});

test('a promoted recipe is chosen to be run again on its page with its variables', async () => {
  const sessionId = await aSession(stage.store, { steps: ['Look'] });
  const key = { tenant: 'default', instruction: 'Open the cart', page: 'https://shop.test/', variables: ['size'] };
  const command = { action: 'CLICK_ELEMENT' as const, parameters: { selector: 'role=link[name="Cart"]' } };
  const after = { page: 'https://shop.test/cart', texts: [], requests: [] };
  const rounds = [{ page: 'https://shop.test/', commands: [command], after }];
  await stage.store.recipes.propose({ key, rounds, source: { sessionId, stepIndex: 0 } }, 0, true);
  const page = await open();
  await page.getByLabel('Begin with').selectOption({ label: 'Open the cart' });
  expect(await page.getByLabel('Steps', { exact: true }).inputValue()).toBe('Open https://shop.test/\nOpen the cart');
  expect(await page.getByLabel('Variable 1: Name').inputValue()).toBe('size');
});

test('a file is given, named by the step that uploads it, and can be read again by the API', async () => {
  const page = await open();
  const file = { name: '<b>invoice.txt', mimeType: 'text/plain', buffer: Buffer.from('what is owed') };
  await page.getByLabel('Give files').setInputFiles([file]);
  await page.getByRole('button', { name: 'Add a step that uploads <b>invoice.txt' }).click();
  const step = await page.getByLabel('Steps', { exact: true }).inputValue();
  const [, fileId] = /^Upload (file_[0-9a-f]{32}) to "Attachment"$/.exec(step)!;
  const known = (await (await fetch(`${address}/v1/files/${fileId}`)).json()) as { data: { bytes: number } };
  expect(known.data.bytes).toBe(12);
});

test('axe finds nothing against a filled form, wide and narrow', async () => {
  for (const viewport of [
    { width: 1280, height: 800 },
    { width: 390, height: 844 },
  ]) {
    const page = await open({ viewport });
    await page.getByLabel('Begin with').selectOption('Fill in a form');
    await page.getByRole('region', { name: 'What is understood' }).getByText('understood').nth(7).waitFor();
    await page.getByLabel('Steps', { exact: true }).fill('Open ${shop}\nType "${nobody}" into Name');
    await page.locator('.checks .bad').waitFor();
    expect(await violations(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0);
  }
});
