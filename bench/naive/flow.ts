import { chromium } from 'playwright';

/** Places the order of the demo session as a script in a new browser. */
export async function buy(shop: string, run: string, executablePath: string): Promise<string> {
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
  try {
    const page = await browser.newPage();
    const press = (name: string): Promise<void> => page.getByRole('button', { name, exact: true }).click();
    const type = (name: string, text: string): Promise<void> =>
      page.getByRole('textbox', { name, exact: true }).fill(text);
    await page.goto(`${shop}/login?run=${run}`);
    await type('Username', 'ada');
    await type('Password', process.env['SHOP_PASSWORD'] ?? '');
    await press('Sign in');
    await page.getByRole('searchbox', { name: 'Search' }).fill('trail');
    await press('Search');
    await page.getByRole('link', { name: 'Trail Shoe' }).click();
    await page.getByLabel('Size').selectOption('M');
    await press('Add to cart');
    await page.getByText('Added to cart').waitFor();
    await page.getByRole('link', { name: 'Checkout' }).click();
    await type('Full name', 'Ada Lovelace');
    await type('Address', '12 Engine Street, London');
    await type('Card number', '4242 4242 4242 4242');
    await page.getByLabel('Express').check();
    await page.getByLabel('I accept the terms').check();
    await press('Place order');
    await page.getByText('Thank you').waitFor();
    return await page.getByLabel('Order number').innerText();
  } finally {
    await browser.close();
  }
}

const PAGE_WITHIN_MS = 10_000;

/** Pays an invoice as a script in a new browser; resolves to what the bank says. */
export async function pay(bank: string, invoice: string, executablePath: string): Promise<string> {
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
  try {
    const page = await browser.newPage();
    page.setDefaultTimeout(PAGE_WITHIN_MS);
    await page.goto(`${bank}/pay?invoice=${invoice}`);
    await page.getByRole('button', { name: 'Pay', exact: true }).click();
    await page.getByText('Paid').waitFor();
    return await page.getByRole('heading').innerText();
  } finally {
    await browser.close();
  }
}
