/** The demo task in a browser that is somebody else's: loop, relay and reference client as they are, over a bad line. */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Browser } from 'playwright';
import { ToolConfirmationOutcome } from '../../contracts/approvals/confirmation-outcome';
import { logOrderProblems } from '../../bench/log-checks/log-order';
import { createBrowserTools } from '../../examples/relay-client/browser-tools';
import { connectRelay, type RelayClient } from '../../client/remote-browser/connect';
import { eventually } from '../support/eventually';
import { geminiAnswers } from '../support/model-server/gemini';
import { startModelServer, vertexAt, type ModelServer, type Play } from '../support/model-server/server';
import { postTo, startCuttableWay, type CuttableWay } from '../support/relay-harness';
import { ifHeard } from '../support/until-taken';
import { ONE_OF_EACH, endOf, startWholeStack, type WholeStack } from '../support/whole-stack';

let server: ModelServer;
let stack: WholeStack;
let way: CuttableWay;
let browser: Browser;
let client: RelayClient;
let browserSessionId: string;
beforeAll(async () => {
  server = await startModelServer();
  stack = await startWholeStack(vertexAt(server), ONE_OF_EACH);
  way = await startCuttableWay(stack.api);
  const { pairing_token } = await postTo(`${stack.api}/v1/browser-sessions/pair`, {});
  const registered = await postTo(`${stack.api}/v1/browser-sessions/register`, { pairing_token });
  browserSessionId = registered['browser_session_id']!;
  browser = await chromium.launch({ executablePath: stack.chromiumPath, args: ['--no-sandbox'] });
  const execute = createBrowserTools(await browser.newPage());
  client = connectRelay({ api: way.url, sessionToken: registered['session_token']!, execute });
}, 240_000);
afterAll(async () => {
  client.close();
  way.close();
  await browser.close();
  await stack.stop();
  await server.stop();
}, 60_000);

interface Act {
  tool: string;
  /** What the page must show before, as the client's read_page shows it; its number is the ref. */
  element?: RegExp;
  args: object;
}

const goTo = (url: string, element?: RegExp): Act => ({ tool: 'navigate', ...(element && { element }), args: { url } });
const fill = (element: RegExp, value: unknown): Act => ({ tool: 'form_input', element, args: { value } });
const press = (element: RegExp): Act => ({ tool: 'computer', element, args: { action: 'left_click' } });

const order = (shop: string, run: string): Act[] => [
  goTo(`${shop}/login?run=${run}`),
  fill(/textbox "Username"/, 'ada'),
  fill(/textbox "Password"/, 'lovelace'),
  press(/button "Sign in"/),
  // Not before the sign-in is through: leaving would cut it off.
  goTo(`${shop}/products/trail-shoe`, /button "Sign out"/),
  fill(/combobox "Size/, 'M'),
  press(/button "Add to cart"/),
  press(/link "Checkout"/),
  fill(/textbox "Full name"/, 'Ada Lovelace'),
  fill(/textbox "Address"/, '12 Engine Street, London'),
  fill(/textbox "Card number"/, '4242 4242 4242 4242'),
  fill(/radio "Express/, true),
  fill(/checkbox "I accept the terms"/, true),
  press(/button "Place order"/),
];

/** A model that does one act after the other, and reads the page until it shows what the next act is on. */
function shopper(acts: Act[], answer: string): Play {
  let at = 0;
  return (response, heard) => {
    const { contents } = heard.body as { contents: { parts: { functionResponse?: { response: object } }[] }[] };
    const output = Object.values(contents.at(-1)!.parts[0]!.functionResponse?.response ?? {}).join('\n');
    const act = acts[at];
    if (act === undefined) return geminiAnswers({ text: answer })(response, heard);
    const { tool, element, args } = act;
    const ref = element === undefined ? undefined : new RegExp(`\\[(\\d+)\\] ${element.source}`).exec(output)?.[1];
    const isReading = element !== undefined && ref === undefined;
    if (!isReading) at += 1;
    const functionCall = isReading
      ? { name: 'read_page', args: {} }
      : { name: tool, args: tool === 'navigate' ? args : { ...args, ref } };
    return geminiAnswers({ functionCall })(response, heard);
  };
}

test('a task over the relay places the demo order once, while the line is cut again and again', async () => {
  const run = randomUUID();
  server.play(shopper(order(stack.shop, run), 'It is ordered, by Express.'));
  const { sessionId } = await stack.client.start({
    steps: [{ task: 'Order the trail shoe in size M', maxSteps: 200 }],
    config: { agent: { executor: 'relay', browserSessionId, approvalMode: 'yolo', waitForBrowserMs: 60_000 } },
  });
  let isOver = false;
  let cuts = 0;
  const cutting = (async () => {
    while (!isOver) {
      await new Promise((resolve) => setTimeout(resolve, 300 + Math.random() * 700));
      if ((await stack.engineStore.relay.sessions.get(browserSessionId))?.isConnected !== true) continue;
      way.cut();
      cuts += 1;
    }
  })();
  const status = await endOf(stack, sessionId, 300_000).finally(() => (isOver = true));
  await cutting;
  const { error } = await stack.client.get(sessionId);
  expect({ status, error: error?.message }).toEqual({ status: 'COMPLETED', error: undefined });
  expect(cuts).toBeGreaterThan(3);
  expect(await stack.orders(run)).toHaveLength(1);
  const log = await stack.logOf(sessionId);
  expect(logOrderProblems(log)).toEqual([]);
  const end = log.find(({ facts }) => facts?.kind === 'task-end');
  expect(end?.facts).toMatchObject({ status: 'complete', answer: 'It is ordered, by Express.' });
  // No browser of ours was taken for it.
  expect(log.filter(({ type }) => type === 'SCREENSHOT_CAPTURED')).toEqual([]);
}, 400_000);

/** The demo order in plain words, as the built-in model follows them. */
const inWords = (shop: string, run: string): string =>
  `Go to ${shop}/login?run=${run}. Fill in the Username field with ada. Type "lovelace" into Password. Click the button Sign in.
  Type "trail" into the Search field and click the "Search" button. Wait for "Trail Shoe", then click the "Trail Shoe" link.
  Select "M" from Size and click "Add to cart". Expect "Added to cart", then click "Checkout".
  Type "Ada Lovelace" into Full name; type "12 Engine Street, London" into Address; type "4242 4242 4242 4242" into Card number.
  Check "Express", check "I accept the terms" and click "Place order". Expect "Thank you".`;

/** Runs it in this browser; what is asked is approved. Resolves to what was asked. */
async function ordered(browserSession: string, approvalMode: 'default' | 'yolo'): Promise<string[]> {
  const run = randomUUID();
  const { sessionId } = await stack.client.start({
    steps: [{ task: inWords(stack.shop, run), maxSteps: 100, aiConfig: { model: 'rules' } }],
    config: { agent: { executor: 'relay', browserSessionId: browserSession, approvalMode } },
  });
  const asked = new Map<string, string>();
  const answered = new Set<string>();
  await eventually(
    'the end of the session',
    async () => {
      for (const question of await stack.client.approvals(sessionId)) {
        if (question.kind !== 'approval' || answered.has(question.approvalId)) continue;
        const { approvalId, card } = question;
        asked.set(approvalId, 'prompt' in card ? card.prompt : card.title);
        const answering = stack.client.decideApproval({ approvalId, outcome: ToolConfirmationOutcome.ProceedOnce });
        if ((await ifHeard(answering)) !== undefined) answered.add(approvalId);
      }
      return (await stack.client.state(sessionId)).isEnded;
    },
    180_000,
  );
  const { session, error } = await stack.client.get(sessionId);
  expect({ status: session.status, error: error?.message }).toEqual({ status: 'COMPLETED', error: undefined });
  expect(await stack.orders(run)).toHaveLength(1);
  expect(logOrderProblems(await stack.logOf(sessionId))).toEqual([]);
  return [...asked.values()];
}

test('the built-in model places the demo order over the relay, in plain words alone', async () => {
  expect(await ordered(browserSessionId, 'yolo')).toEqual([]);
}, 240_000);

test('the extension runs a task of the loop: a person approves what pays, and there is one order', async () => {
  const extension = join(__dirname, '..', '..', 'examples', 'extension');
  const profile = mkdtempSync(join(tmpdir(), 'surefoot-test-profile-'));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: stack.chromiumPath,
    headless: true,
    ignoreDefaultArgs: ['--disable-extensions'],
    args: ['--no-sandbox', `--disable-extensions-except=${extension}`, `--load-extension=${extension}`],
  });
  try {
    const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'));
    const options = await context.newPage();
    await options.goto(new URL('/options.html', worker.url()).href);
    const { pairing_token } = await postTo(`${stack.api}/v1/browser-sessions/pair`, { label: 'the extension' });
    await options.getByLabel('Address of the server').fill(stack.api);
    await options.getByLabel('Pairing token').fill(pairing_token!);
    await options.getByRole('button', { name: 'Pair' }).click();
    await options.getByText('Connected.').waitFor();
    const all = await stack.engineStore.relay.sessions.list(undefined);
    const paired = all.find(({ label }) => label === 'the extension')!;
    const asked = await ordered(paired.browserSessionId, 'default');
    expect(asked.at(-1)).toContain('button "Place order"');
  } finally {
    await context.close();
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  }
}, 240_000);
