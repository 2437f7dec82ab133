import type { Page } from 'playwright';
import { SHOP_PASSWORD } from '../harness/harness';
import type { Flow } from './flow';

/** Each step has its own words: a flow must not be led by the recipes of another. */
export const FLOWS: readonly Flow[] = [
  {
    name: 'demo: sign in, search, order',
    steps: [
      'Open ${shop}/login?run=${run}',
      'Type "ada" into Username, type "${password}" into Password and click "Sign in"',
      'Type "trail" into the Search field and click the "Search" button',
      'Wait for "Trail Shoe", then click the "Trail Shoe" link',
      'Select "M" from Size and click "Add to cart"',
      'Expect "Added to cart", then click "Checkout"',
      'Type "Ada Lovelace" into Full name; type "12 Engine Street, London" into Address; type "4242 4242 4242 4242" into Card number',
      'Check "Express", check "I accept the terms" and click "Place order"',
      'Expect "Thank you"',
      'Save the Order number as order_number',
    ],
    async script(page, shop, run) {
      await signIn(page, shop, run);
      await page.getByRole('searchbox', { name: 'Search' }).fill('trail');
      await page.getByRole('button', { name: 'Search' }).click();
      await page.getByRole('link', { name: 'Trail Shoe' }).click();
      await page.getByLabel('Size').selectOption('M');
      await page.getByRole('button', { name: 'Add to cart' }).click();
      await page.getByText('Added to cart').waitFor();
      await page.getByRole('link', { name: 'Checkout' }).click();
      await placeOrder(page, async () => await page.getByRole('radio', { name: 'Express' }).check());
      await page.getByText('Thank you').waitFor();
      await page
        .getByText(/SF-\d+/)
        .first()
        .textContent();
    },
  },
  {
    name: 'order two of one thing',
    steps: [
      'Go to ${shop}/login?run=${run}',
      'Type "ada" into Username and "${password}" into Password, then click "Sign in"',
      'Go to ${shop}/products/wool-hat',
      'Choose "L" in Size, set Quantity to 2 and click "Add to cart"',
      'Click "Checkout"',
      'Type "Ada Lovelace" into Full name, "12 Engine Street" into Address and "4242 4242 4242 4242" into Card number',
      'Check "I accept the terms" and click "Place order"',
    ],
    async script(page, shop, run) {
      await signIn(page, shop, run);
      await page.goto(`${shop}/products/wool-hat`);
      await page.getByLabel('Size').selectOption('L');
      await page.getByLabel('Quantity').fill('2');
      await page.getByRole('button', { name: 'Add to cart' }).click();
      await page.getByRole('link', { name: 'Checkout' }).click();
      await placeOrder(page);
      await page.getByText('Thank you').waitFor();
    },
  },
  {
    name: 'a long form',
    steps: [
      'Open ${shop}/parts/form?run=${run}',
      'Type "Grace" into Name, "Amazing" into Nickname and "0043 1 123" into Phone',
      'Type "85" into Age, "2026-11-23" into Day and "Some notes" into Notes',
      'Choose "Norway" in Country and check "Expert"',
      'Check "Send me news", type "A story" into Story and click "Send"',
      'Expect "Sent:"',
    ],
    async script(page, shop, run) {
      await page.goto(`${shop}/parts/form?run=${run}`);
      const fields = { Name: 'Grace', Nickname: 'Amazing', Phone: '0043 1 123', Age: '85' };
      for (const [name, value] of Object.entries(fields)) await page.getByLabel(name, { exact: true }).fill(value);
      await page.getByLabel('Day').fill('2026-11-23');
      await page.getByLabel('Notes').fill('Some notes');
      await page.getByLabel('Country').selectOption('Norway');
      await page.getByRole('radio', { name: 'Expert' }).check();
      await page.getByRole('checkbox', { name: 'Send me news' }).check();
      await page.getByRole('textbox', { name: 'Story' }).fill('A story');
      await page.getByRole('button', { name: 'Send' }).click();
      await page.getByText('Sent:').waitFor();
    },
  },
  {
    name: 'a frame, a shadow tree, a key',
    steps: [
      'Open ${shop}/parts/iframe?run=${run}',
      'Click "Press inside" and expect "Pressed inside"',
      'Open ${shop}/parts/shadow',
      'Type "Grace" into Nickname and click Greet',
      'Expect "Hello, Grace"',
      'Open ${shop}/parts/keys',
      'Type "Good morning" into Message and press Enter',
      'Expect "Sent: Good morning"',
    ],
    async script(page, shop, run) {
      await page.goto(`${shop}/parts/iframe?run=${run}`);
      const frame = page.frameLocator('iframe');
      await frame.getByRole('button', { name: 'Press inside' }).click();
      await frame.getByText('Pressed inside').waitFor();
      await page.goto(`${shop}/parts/shadow`);
      await page.getByLabel('Nickname').fill('Grace');
      await page.getByRole('button', { name: 'Greet' }).click();
      await page.getByText('Hello, Grace').waitFor();
      await page.goto(`${shop}/parts/keys`);
      await page.getByLabel('Message').fill('Good morning');
      await page.getByLabel('Message').press('Enter');
      await page.getByText('Sent: Good morning').waitFor();
    },
  },
];

async function signIn(page: Page, shop: string, run: string): Promise<void> {
  await page.goto(`${shop}/login?run=${run}`);
  await page.getByLabel('Username').fill('ada');
  await page.getByLabel('Password').fill(SHOP_PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

async function placeOrder(page: Page, choose: () => Promise<void> = async () => {}): Promise<void> {
  await page.getByLabel('Full name').fill('Ada Lovelace');
  await page.getByLabel('Address').fill('12 Engine Street, London');
  await page.getByLabel('Card number').fill('4242 4242 4242 4242');
  await choose();
  await page.getByRole('checkbox', { name: 'I accept the terms' }).check();
  await page.getByRole('button', { name: 'Place order' }).click();
}
