/** The reference client and the extension on a real Chromium, driven by a workflow through the API. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Browser, type BrowserContext } from 'playwright';
import type { RelayCallOutput } from '../../contracts/relay/relay-call';
import { createBrowserTools } from '../../examples/relay-client/browser-tools';
import { connectRelay, type RelayClient } from '../../client/remote-browser/connect';
import { startShop, type RunningShop } from '../../examples/shop/serve';
import { eventually } from '../support/eventually';
import {
  startCuttableWay,
  startRelayStage,
  type ApiProcess,
  type CuttableWay,
  type RelayStage,
} from '../support/relay-harness';
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
let shop: RunningShop;
/** Between the clients and the API. */
let way: CuttableWay;
let profile: string;
beforeAll(async () => {
  profile = mkdtempSync(join(tmpdir(), 'surefoot-test-profile-'));
  site = await startSite({ '/': SHOP, '/bought': '<title>Bought</title><h1>Thank you</h1>' });
  stage = await startRelayStage();
  api = await stage.startApi();
  way = await startCuttableWay(api.url);
  shop = await startShop({ searchDelayMs: 50 });
}, 180_000);
afterAll(async () => {
  way.close();
  await stage.stop();
  site.close();
  await shop.close();
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
  for (const [element, value, output] of fields)
    expect(await textOf(call('form_input', { ref: refIn(page, element), value }))).toContain(output);
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

/** The demo order, while the line is cut as soon as it is back; resolves to how many orders there are by it. */
async function ordersOverBadLine(call: Call, browserSessionId: string, run: string): Promise<number> {
  let isOver = false;
  let cuts = 0;
  const cutting = (async () => {
    while (!isOver) {
      await new Promise((resolve) => setTimeout(resolve, 100 + Math.random() * 500));
      if ((await stage.store.relay.sessions.get(browserSessionId))?.isConnected !== true) continue;
      way.cut();
      cuts += 1;
    }
  })();
  const fill = async (element: string, value: unknown): Promise<void> => {
    await textOf(call('form_input', { ref: await refOf(call, element), value }));
  };
  const press = async (element: string): Promise<void> => {
    await textOf(call('computer', { action: 'left_click', ref: await refOf(call, element) }));
  };
  try {
    await textOf(call('navigate', { url: `${shop.url}/login?run=${run}` }));
    await fill('textbox "Username"', 'ada');
    await fill('textbox "Password"', 'lovelace');
    await press('button "Sign in"');
    await fill('\\w+ "Search"', 'trail');
    await press('button "Search"');
    await press('link "Trail Shoe"');
    await fill('combobox "Size', 'M');
    await press('button "Add to cart"');
    await press('link "Checkout"');
    await fill('textbox "Full name"', 'Ada Lovelace');
    await fill('textbox "Address"', '12 Engine Street, London');
    await fill('textbox "Card number"', '4242 4242 4242 4242');
    await fill('radio "Express', true);
    await fill('checkbox "I accept the terms"', true);
    await press('button "Place order"');
    await eventually('the order is confirmed', async () =>
      (await textOf(call('get_page_text', {}))).includes('Order number'),
    );
  } finally {
    isOver = true;
    await cutting;
  }
  expect(cuts).toBeGreaterThan(3);
  return shop.orders.list({ run }).length;
}

async function refOf(call: Call, element: string): Promise<string> {
  return await eventually(element, async () => {
    const page = await textOf(call('read_page', {}));
    return new RegExp(`\\[\\d+\\] ${element}`).test(page) ? refIn(page, element) : undefined;
  });
}

describe('the reference client', () => {
  let browser: Browser;
  let client: RelayClient;
  let call: Call;
  let browserSessionId: string;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: stage.stack.chromiumPath, args: ['--no-sandbox'] });
    const paired = await stage.pair(api);
    ({ browserSessionId } = paired);
    const execute = createBrowserTools(await browser.newPage());
    client = connectRelay({ api: way.url, sessionToken: paired.sessionToken, execute });
    call = callerOf(browserSessionId);
  });
  afterAll(async () => {
    client.close();
    await browser.close();
  });

  test('does what the seven tools are asked for, over the public protocol alone', async () => {
    expect(await buyShoes(call)).toContain('Shop');
  });

  test('places the demo order once over a line that is cut again and again', async () => {
    expect(await ordersOverBadLine(call, browserSessionId, 'client')).toBe(1);
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

test('the reference client as a program: given a pairing token it stays until it is asked to end', async () => {
  const { pairingToken } = await stage.store.relay.sessions.pair({ tenant: 'default', lifeMs: WAITS_MS });
  const program = join(__dirname, '..', '..', 'dist', 'examples', 'relay-client', 'main.js');
  const start = (token: string) => {
    const child = spawn(process.execPath, [program, api.url, token], {
      env: { ...process.env, CHROMIUM_PATH: stage.stack.chromiumPath, NODE_OPTIONS: '' },
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
    return { child, output: () => output };
  };
  const { child, output } = start(pairingToken);
  try {
    const id = await eventually('it has registered', () => /browser session (\S+)/.exec(output())?.[1]);
    await eventually('it is connected', () => output().includes('connected'));
    const call = callerOf(id);
    expect(await textOf(call('navigate', { url: `${site.url}/` }))).toContain('Shop');
    const ended = once(child, 'close');
    child.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
    const again = start(pairingToken);
    expect(await once(again.child, 'close')).toEqual([1, null]);
    expect(again.output()).toContain('Expected a pairing token');
  } finally {
    child.kill('SIGKILL');
  }
});

describe('the extension', () => {
  let context: BrowserContext;
  const theSession = async () =>
    (await stage.store.relay.sessions.list(undefined)).find(({ label }) => label === 'the extension')!;
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
    await options.getByLabel('Address of the server').fill(way.url);
    await options.getByLabel('Pairing token').fill(data.pairing_token);
    await options.getByRole('button', { name: 'Pair' }).click();
    await options.getByText('Connected.').waitFor();
    const session = await theSession();
    expect(session).toMatchObject({ isConnected: true, client: expect.stringContaining('Surefoot relay extension') });
    expect(await buyShoes(callerOf(session.browserSessionId))).toContain('Shop');
  });

  test('places the demo order once over a line that is cut again and again', async () => {
    const { browserSessionId } = await theSession();
    expect(await ordersOverBadLine(callerOf(browserSessionId), browserSessionId, 'extension')).toBe(1);
  });

  test('loads the page again when Chrome has unloaded the tab', async () => {
    const { browserSessionId } = await theSession();
    const call = callerOf(browserSessionId);
    expect(await textOf(call('navigate', { url: `${site.url}/` }))).toContain('Shop');
    const discarded = `chrome.storage.session.get('tabId').then(({ tabId }) => chrome.tabs.discard(tabId))`;
    const status = await context.serviceWorkers()[0]!.evaluate<string>(`${discarded}.then((tab) => tab.status)`);
    expect(status).toBe('unloaded');
    expect(await textOf(call('get_page_text', {}))).toContain('Shoes for every trail.');
    expect(await textOf(call('navigate', { url: 'back' }))).toContain('Thank you');
  });

  test('comes back by itself when Chrome has ended its worker', async () => {
    const { browserSessionId } = await theSession();
    const devtools = await context.newCDPSession(context.pages()[0]!);
    await devtools.send('ServiceWorker.enable');
    await devtools.send('ServiceWorker.stopAllWorkers');
    await eventually('the server has noticed', async () => !(await theSession()).isConnected);
    expect(await textOf(callerOf(browserSessionId)('get_page_text', {}))).toContain('Order number');
  });

  test('forgets the server when its person says so', async () => {
    const options = context.pages().find((page) => page.url().endsWith('/options.html'))!;
    await options.getByRole('button', { name: 'Forget this server' }).click();
    await options.getByText('Not paired.').waitFor();
    const gone = async () => !(await theSession()).isConnected;
    expect(await eventually('the server has noticed', gone)).toBe(true);
  });
});
