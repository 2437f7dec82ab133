/** The reference client and the extension on a real Chromium, driven by a workflow through the API. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Browser, type BrowserContext } from 'playwright';
import type { RelayCallOutput } from '../../contracts/relay-call';
import { createBrowserTools } from '../../examples/relay-client/browser-tools';
import { connectRelay, type RelayClient } from '../../examples/relay-client/connect';
import { eventually } from '../support/eventually';
import { startRelayStage, type ApiProcess, type RelayStage } from '../support/relay-stage';
import { startSite, type TestSite } from '../support/sites';

const EXTENSION = join(__dirname, '..', '..', 'examples', 'extension');
const WAITS_MS = 60_000;

const SHOP = `<title>Shop</title><main><h1>Shop</h1>
  <p>Shoes for every trail.</p>
  <form action="/bought"><label>Name <input name="name"></label>
    <label>Size <select name="size"><option value="s">Small</option><option value="l">Large</option></select></label>
    <label><input type="checkbox" name="gift" value="yes"> A gift</label>
    <label>Password <input type="password" value="hunter2"></label>
    <button>Buy</button></form>
  <div id="shadow"></div><script>
    document.getElementById('shadow').attachShadow({ mode: 'open' }).innerHTML = '<button>Inside</button>';
    document.title = 'Shop';
  </script></main>`;

let stage: RelayStage;
let api: ApiProcess;
let site: TestSite;
let profile: string;
beforeAll(async () => {
  profile = mkdtempSync(join(tmpdir(), 'surefoot-test-profile-'));
  site = await startSite({ '/': SHOP, '/bought': '<title>Bought</title><h1>Thank you</h1>' });
  stage = await startRelayStage();
  api = await stage.startApi();
}, 180_000);
afterAll(async () => {
  await stage.stop();
  site.close();
  rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
});

/** Calls tools one by one, each as a session of its own would. */
function callerOf(browserSessionId: string) {
  return async (tool: string, input: Record<string, unknown>): Promise<RelayCallOutput> => {
    const call = { browserSessionId, callId: 'call', tool, input, waitForBrowserMs: WAITS_MS };
    const { result } = await stage.begin(await stage.aSession(), [call]);
    return (await result())[0]!;
  };
}

type Call = ReturnType<typeof callerOf>;

const textOf = async (output: Promise<RelayCallOutput>): Promise<string> => {
  const { success, output: text, error } = await output;
  if (!success) throw new Error(`The tool failed: ${error}`);
  return String(text);
};

/** The number before the element of this role and name. */
function refIn(page: string, element: string): string {
  const found = new RegExp(`(?:\\[(\\d+)\\]|(ref_\\d+):) ${element}`).exec(page);
  if (found === null) throw new Error(`Expected ${element} in:\n${page}`);
  return found[1] ?? found[2]!;
}

/** What both clients can do, on the same page, to which it goes back at the end. */
async function buyShoes(call: Call): Promise<string> {
  expect(await textOf(call('navigate', { url: `${site.url}/` }))).toContain('Shop');
  const page = await textOf(call('read_page', {}));
  expect(page).toContain('heading "Shop"');
  expect(page).toContain('button "Inside"');
  expect(page).not.toContain('hunter2');
  expect(await textOf(call('get_page_text', {}))).toContain('Shoes for every trail.');

  const fields = [
    ['textbox "Name"', 'Ada', 'value "Ada"'],
    ['combobox "Size', 'Large', 'value "Large"'],
    ['checkbox "A gift"', true, 'checked'],
  ] as const;
  for (const [element, value, told] of fields)
    expect(await textOf(call('form_input', { ref: refIn(page, element), value }))).toContain(told);
  const wrong = await call('form_input', { ref: refIn(page, 'combobox "Size'), value: 'Huge' });
  expect(wrong).toMatchObject({ success: false, error: expect.stringContaining('Small, Large') });

  const picture = await call('computer', { action: 'screenshot' });
  expect(picture).toMatchObject({ success: true, screenshot: { mediaType: 'image/png' } });
  const whole = await stage.store.relay.answers.result(picture.requestId);
  expect(Buffer.from(whole!.screenshot!.data, 'base64').subarray(1, 4).toString()).toBe('PNG');
  expect(await textOf(call('javascript_tool', { expression: 'document.forms.length' }))).toBe('1');

  const button = refIn(await textOf(call('find', { query: 'buy button' })), 'button "Buy"');
  const asked = site.asked.length;
  await textOf(call('computer', { action: 'left_click', ref: button }));
  await eventually('the form is sent', () => site.asked.slice(asked).some((each) => each.includes('/bought')));
  expect(site.asked.slice(asked).filter((each) => each.startsWith('GET /bought'))).toEqual([
    'GET /bought?name=Ada&size=l&gift=yes ',
  ]);
  await eventually('the next page is there', async () =>
    (await textOf(call('get_page_text', {}))).includes('Thank you'),
  );
  // What was read on the page before fits nothing here.
  const stale = await call('computer', { action: 'left_click', ref: button });
  expect(stale).toMatchObject({ success: false, error: expect.stringContaining('Read it again') });
  return await textOf(call('navigate', { url: 'back' }));
}

describe('the reference client', () => {
  let browser: Browser;
  let client: RelayClient;
  let call: Call;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: stage.stack.chromiumPath, args: ['--no-sandbox'] });
    const { browserSessionId, sessionToken } = await stage.pair(api);
    const execute = createBrowserTools(await browser.newPage());
    client = connectRelay({ api: api.url, sessionToken, execute });
    call = callerOf(browserSessionId);
  });
  afterAll(async () => {
    client.close();
    await browser.close();
  });

  test('does what the seven tools are asked for, over the public protocol alone', async () => {
    expect(await buyShoes(call)).toContain('Shop');
  });

  test('types, presses keys, scrolls, waits, and says what it can not do', async () => {
    await textOf(call('navigate', { url: `${site.url}/` }));
    const name = refIn(await textOf(call('read_page', { filter: 'interactive' })), 'textbox "Name"');
    await textOf(call('computer', { action: 'left_click', ref: name }));
    await textOf(call('computer', { action: 'type', text: 'Adb' }));
    await textOf(call('computer', { action: 'key', text: 'Backspace' }));
    await textOf(call('computer', { action: 'wait', duration: 0 }));
    await textOf(call('computer', { action: 'scroll', scroll_direction: 'down', scroll_amount: 1 }));
    expect(await textOf(call('read_page', {}))).toContain('textbox "Name" (value "Ad")');
    expect(await call('launch', {})).toMatchObject({
      success: false,
      error: expect.stringContaining('read_page, find'),
    });
    expect(await call('computer', { action: 'wait', duration: 31 })).toMatchObject({
      success: false,
      error: expect.stringContaining('duration'),
    });
    expect(await call('computer', { action: 'left_click' })).toMatchObject({ success: false });
    expect(await call('javascript_tool', { expression: 'nothing.at.all' })).toMatchObject({
      success: false,
      error: expect.stringContaining('nothing is not defined'),
    });
  });
});

describe('the extension', () => {
  let context: BrowserContext;
  beforeAll(async () => {
    context = await chromium.launchPersistentContext(profile, {
      executablePath: stage.stack.chromiumPath,
      headless: true,
      ignoreDefaultArgs: ['--disable-extensions'],
      args: ['--no-sandbox', `--disable-extensions-except=${EXTENSION}`, `--load-extension=${EXTENSION}`],
    });
  });
  afterAll(() => context.close());

  test('is paired by the token that its person pastes, and then does what the seven tools are asked for', async () => {
    const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'));
    const options = await context.newPage();
    await options.goto(new URL('/options.html', worker.url()).href);
    const paired = await fetch(`${api.url}/v1/browser-sessions/pair`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ label: 'the extension' }),
    });
    const { data } = (await paired.json()) as { data: { pairing_token: string } };
    await options.getByLabel('Address of the server').fill(api.url);
    await options.getByLabel('Pairing token').fill(data.pairing_token);
    await options.getByRole('button', { name: 'Pair' }).click();
    await options.getByText('Connected.').waitFor();
    const session = (await stage.store.relay.sessions.list(undefined)).find(({ label }) => label === 'the extension');
    expect(session).toMatchObject({ isConnected: true, client: expect.stringContaining('Surefoot relay extension') });
    expect(await buyShoes(callerOf(session!.browserSessionId))).toContain('Shop');
  });

  test('forgets the server when its person says so', async () => {
    const options = context.pages().find((page) => page.url().endsWith('/options.html'))!;
    await options.getByRole('button', { name: 'Forget this server' }).click();
    await options.getByText('Not paired.').waitFor();
    const gone = async () =>
      (await stage.store.relay.sessions.list(undefined)).find(({ label }) => label === 'the extension')?.isConnected ===
      false;
    expect(await eventually('the server has noticed', gone)).toBe(true);
  });
});
