/** Scripts that count as read-only are run on a page that notes every effect. */
import { chromium, type Browser, type CDPSession, type Page } from 'playwright';
import { effectOfScript } from '../../../../activities/deeds/scripts/read-only-script';
import { seededRandom } from '../../../../bench/chaos/random';
import { chainedScript, trickyScript } from '../../../support/deeds/script-grammar';
import { TRAP_PAGE } from '../../../support/deeds/trap-page';

const SEED = 33;
const ADDRESS = 'http://trap.test/';

let browser: Browser;
let page: Page;
let session: CDPSession;
let sent: string[] = [];
beforeAll(async () => {
  browser = await chromium.launch({
    executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
    args: ['--no-sandbox'],
  });
  page = await browser.newPage();
  await page.route('**/*', async (route) => {
    if (route.request().url() === ADDRESS) return await route.fulfill({ body: TRAP_PAGE, contentType: 'text/html' });
    sent.push(route.request().url());
    return await route.abort();
  });
  session = await page.context().newCDPSession(page);
});
afterAll(() => browser.close());

/** What the page has noted of a script, which is run as the engine runs it. */
async function effectsOf(script: string): Promise<string[]> {
  sent = [];
  const expression = /^\s*\(\)\s*=>/.test(script) ? `((first) => first())(${script})` : script;
  await session
    .send('Runtime.evaluate', { expression, awaitPromise: true, replMode: true, userGesture: true, timeout: 2000 })
    .catch(() => undefined);
  const { result } = await session.send('Runtime.evaluate', { expression: 'takeNoted()', returnByValue: true });
  const noted = (result.value ?? ['the page is gone']) as string[];
  return [...noted, ...sent, ...(page.url().startsWith(ADDRESS) ? [] : [`went to ${page.url()}`])];
}

async function openTrap(): Promise<void> {
  await page.goto(ADDRESS);
  await effectsOf('1');
}

test('no script that counts as read-only has an effect, of 20000 that were made to hide one', async () => {
  await openTrap();
  const random = seededRandom(SEED);
  const made = Array.from({ length: 20_000 }, (_, at) => (at % 2 === 0 ? trickyScript(random) : chainedScript(random)));
  const reading = [...new Set(made)].filter((script) => effectOfScript(script) === undefined);
  expect(reading.length).toBeGreaterThan(300);
  const through: string[] = [];
  for (const script of reading) {
    const effects = await effectsOf(script);
    if (effects.length > 0) through.push(`${script} -> ${effects.join()}`);
  }
  expect(through).toEqual([]);
});

test('the page notes the effects of at least 200 scripts that count as deeds', async () => {
  await openTrap();
  const random = seededRandom(SEED + 1);
  const seen = new Set<string>();
  for (let at = 0; seen.size < 200 && at < 3000; at += 1) {
    const script = trickyScript(random);
    if (effectOfScript(script) === undefined || /location|reload|document\.(?:open|write)/.test(script)) continue;
    if ((await effectsOf(script)).length > 0) seen.add(script);
    if (!page.url().startsWith(ADDRESS)) await openTrap();
  }
  expect(seen.size).toBe(200);
});
