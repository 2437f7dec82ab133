import { createServer, type Server } from 'node:http';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { requestsIn } from '../../../contracts/commands/evidence';
import { findTarget } from '../../../activities/browser/targets/find-target';
import type { PlannedCommand } from '../../../contracts/commands/planned-command';
import type { JournalEntry } from '../../../store/journal/journal';
import { a, type RunOptions, type StagedSession } from '../../support/browser-session';
import { openBrowserStage, type BrowserStage } from '../../support/browser-harness';
import { makeCertificate } from '../../support/model-server/certificate';

const PAGE = `<!doctype html><title>Send</title><input aria-label="Name">
  <button id="send" onclick="fetch('/orders', { method: 'POST' })">Send</button>
  <button id="another" onclick="fetch('/orders', { method: 'POST' })">Send another</button>
  <form method="post" action="/pay"><button id="pay">Pay</button></form>`;
const TLS_PAGE = '<!doctype html><form method="post" action="/pay"><button id="pay">Pay</button></form>';
const ELSEWHERE = 'http://elsewhere.example/thanks';
const PAY = a('CLICK_ELEMENT', { selector: '#pay' });
const SEND = a('CLICK_ELEMENT', { selector: '#send' });

let stage: BrowserStage;
let server: Server;
let site: string;
const tlsShops: TlsServer[] = [];
/** The keys of the POSTs that reached the site. */
let keys: (string | undefined)[] = [];

beforeAll(async () => {
  stage = await openBrowserStage();
  server = createServer((request, response) => {
    if (request.method === 'POST') keys.push(request.headers['order-key'] as string | undefined);
    // As a payment whose provider is no origin of the session.
    if (request.url === '/pay') return void response.writeHead(303, { location: ELSEWHERE }).end();
    response.writeHead(200, { 'content-type': 'text/html' }).end(PAGE);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  site = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  for (const shop of tlsShops) shop.close().closeAllConnections();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await stage.stop();
});

const keyed = (options: RunOptions = {}): RunOptions => ({
  ...options,
  idempotency: { header: 'Order-Key', origins: [site] },
});

async function opened(session: StagedSession): Promise<StagedSession> {
  await session.did([a('OPEN_PAGE', { url: site })], keyed());
  keys = [];
  return session;
}
const aSession = async (): Promise<StagedSession> => opened(await stage.newSession());

/** One session for all in which no worker dies, no keeper is away and no commit stays open. */
let shared: StagedSession | undefined;
const sharedSession = async (): Promise<StagedSession> => opened((shared ??= await stage.newSession()));

const keyOf = async (session: StagedSession, { commandId }: PlannedCommand): Promise<string | undefined> =>
  (await session.journal()).find((entry) => entry.commandId === commandId)?.idempotencyKey;

/** What a worker leaves behind that died after it had the key put on, before or after its click. */
async function leftBehind(session: StagedSession, command: PlannedCommand, key: string): Promise<void> {
  const { runId, sessionId } = session;
  const { epoch } = session.lease!;
  const { commandId, action, parameters } = command;
  const place = { stepIndex: 0, turn: 0, position: 0, pageUrl: session.page().url() };
  const intent = { ...place, commandId, action, parameters, effect: 'commit' as const, idempotencyKey: key };
  await stage.store.journal.intend(sessionId, { runId, epoch }, intent, []);
  const selector = parameters.selector!;
  await findTarget(session.attachment(), command, selector, 1000, new AbortController().signal);
  await stage
    .browsers()
    .setIdempotencyHeader({ sessionId, epoch, key: { header: 'Order-Key', value: key, origins: [site] } });
}

const post = async (session: StagedSession, worker?: string): Promise<void> =>
  session.page(worker).evaluate(async () => void (await fetch('/background', { method: 'POST' })));

test('each commit has its own key, which the journal records, and other requests have none', async () => {
  const session = await sharedSession();
  const batch = session.plan([SEND, a('INPUT_TEXT', { selector: 'input', text: 'Ada' }), SEND]);
  await session.did(batch, keyed());
  await post(session);
  const [first, second] = [await keyOf(session, batch[0]!), await keyOf(session, batch[2]!)];
  expect(first).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  expect(second).not.toBe(first);
  expect(await keyOf(session, batch[1]!)).toBeUndefined();
  expect(keys).toEqual([first, second, undefined]);
});

test('a POST that is redirected to an origin that is not allowed is done, and its navigation blocked', async () => {
  const network = { allowedOrigins: [site], allowPrivateAddresses: true };
  const session = await opened(await stage.newSession({ network }));
  const [pay, again] = session.plan([PAY, PAY]);
  const call = { callId: 'call_1', toolName: 'computer', args: {} };
  const { outcomes } = await session.run([{ ...pay!, call }, ...session.plan([SEND])], keyed());
  expect(outcomes).toMatchObject([{ status: 'done', isNavigationBlocked: true }, { status: 'skipped' }]);
  const [entry] = (await session.journal()).filter(({ commandId }) => commandId === pay!.commandId);
  expect(entry).toMatchObject({
    status: 'done',
    evidence: { kind: 'observed', blockedNavigation: ELSEWHERE },
    response: {
      success: true,
      metadata: { output: expect.stringContaining('It was done, and then it led to a page that was blocked') },
    },
  });
  expect(requestsIn(entry!.evidence)).toContainEqual(
    expect.objectContaining({ method: 'POST', url: `${site}/pay`, status: 303 }),
  );
  const log = await session.log();
  expect(log.filter(({ eventId }) => eventId === `${pay!.commandId}/completed`)).toHaveLength(1);
  expect(log.find(({ eventId }) => eventId === `${pay!.commandId}/guard`)).toMatchObject({
    type: 'WARNING_ISSUED',
    data: {
      warning: { details: { guard: 'allowed-origins' }, message: expect.stringContaining('CLICK_ELEMENT was done') },
    },
  });
  await session.open(site);
  await session.run([again!], keyed({ turn: 1 }));
  const key = await keyOf(session, pay!);
  expect(keys).toEqual([key, key]);
});

test('a worker dies after such a POST: the one after it finds the blocked navigation as well', async () => {
  const network = { allowedOrigins: [site], allowPrivateAddresses: true };
  const session = await opened(await stage.newSession({ network }));
  const [pay] = session.plan([PAY]);
  await leftBehind(session, pay!, 'the key');
  await session.page().locator('#pay').click();
  const guard = { runId: session.runId, epoch: session.lease!.epoch };
  await stage.store.journal.markExecuted(session.sessionId, guard, pay!.commandId);
  const { outcomes } = await session.run([pay!], keyed({ worker: 'second' }));
  expect(outcomes).toMatchObject([{ status: 'done', isNavigationBlocked: true }]);
  expect(keys).toEqual(['the key']);
});

test('without the setting there is no key, neither at the site nor in the journal', async () => {
  const session = await sharedSession();
  const batch = session.plan([SEND]);
  await session.did(batch);
  expect(await keyOf(session, batch[0]!)).toBeUndefined();
  expect(keys).toEqual([undefined]);
});

test('a commit that had not happened when its worker died runs with its recorded key', async () => {
  const session = await aSession();
  const [command] = session.plan([SEND]);
  await leftBehind(session, command!, 'the key');
  await session.did([command!], keyed({ worker: 'second' }));
  await post(session, 'second');
  expect(await keyOf(session, command!)).toBe('the key');
  expect(keys).toEqual(['the key', undefined]);
});

test('late requests of a commit whose worker died carry its key until its outcome is known', async () => {
  const session = await aSession();
  const [command] = session.plan([SEND]);
  await leftBehind(session, command!, 'the key');
  await session.page().click('#send');
  await post(session);
  const { outcomes } = await session.run([command!], keyed({ worker: 'second' }));
  expect(outcomes).toMatchObject([{ status: 'unknown' }]);
  await post(session, 'second');
  expect(keys).toEqual(['the key', 'the key', undefined]);
});

test('a commit that repeats one of unknown outcome takes its key, and the next one a new key', async () => {
  const session = await aSession();
  const [unknown, other, failed, again, later] = session.plan([
    SEND,
    a('CLICK_ELEMENT', { selector: '#another' }),
    a('CLICK_ELEMENT', SEND.parameters),
    SEND,
    SEND,
  ]);
  await leftBehind(session, unknown!, 'the key');
  await session.page().click('#send');
  await session.run([unknown!], keyed({ worker: 'second' }));
  await session.did([other!], keyed({ worker: 'second', turn: 1 }));
  // Its button is gone for a moment: it never acts, and settles nothing.
  await session.page('second').evaluate(() => document.querySelector('#send')!.setAttribute('hidden', ''));
  expect((await session.run([failed!], keyed({ worker: 'second', turn: 2, timeoutMs: 300 }))).outcomes).toMatchObject([
    { status: 'failed' },
  ]);
  await session.page('second').evaluate(() => document.querySelector('#send')!.removeAttribute('hidden'));
  await session.did([again!], keyed({ worker: 'second', turn: 3 }));
  await session.did([later!], keyed({ worker: 'second', turn: 4 }));
  const last = keys.at(-1);
  expect(keys).toEqual(['the key', await keyOf(session, other!), 'the key', last]);
  expect(await keyOf(session, again!)).toBe('the key');
  expect(await keyOf(session, other!)).not.toBe('the key');
  expect(last).not.toBe('the key');
});

test('a key that could not be removed while the keeper was away is removed before the next command', async () => {
  const session = await aSession();
  const { epoch } = session.lease!;
  const { sessionId } = session;
  await stage
    .browsers()
    .setIdempotencyHeader({ sessionId, epoch, key: { header: 'Order-Key', value: 'left', origins: [site] } });
  await session.did([a('INPUT_TEXT', { selector: 'input', text: 'Ada' })], keyed({ worker: 'second' }));
  await post(session, 'second');
  expect(keys).toEqual([undefined]);
});

test('no commit acts while the keeper is away that would add the key', async () => {
  const session = await aSession();
  const [command] = session.plan([SEND]);
  const { attachments } = stage.worker();
  const { keeper } = attachments;
  attachments.keeper = () => Promise.reject(Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }));
  const failure = await session.run([command!], keyed()).catch((error: unknown) => error);
  expect(failure).toMatchObject({ type: 'CM002', nonRetryable: false });
  expect(keys).toEqual([]);
  attachments.keeper = keeper;
  await session.did([command!], keyed());
  expect(keys).toEqual([await keyOf(session, command!)]);
});

/** Signs in, fills the cart and the form, and has the shop cut the line after it has taken the order. */
async function atCheckout(): Promise<StagedSession> {
  const session = await stage.newSession();
  await session.open('/login');
  await session.page().evaluate(async () => {
    const send = async (path: string, fields: Record<string, string>): Promise<unknown> =>
      fetch(path, { method: 'POST', body: new URLSearchParams(fields) });
    await send('/login', { username: 'ada', password: 'lovelace' });
    await send('/cart', { slug: 'trail-shoe', size: 'M', quantity: '1' });
  });
  await session.open('/checkout');
  await session.did([
    a('INPUT_TEXT', { selector: '#fullName', text: 'Ada Lovelace' }),
    a('INPUT_TEXT', { selector: '#address', text: '12 Engine Street' }),
    a('INPUT_TEXT', { selector: '#cardNumber', text: '4242 4242 4242 4242' }),
    a('SET_CHECKED', { selector: '#terms', checked: true }),
  ]);
  const run = session.sessionId;
  const fault = { kind: 'drop-after', path: '/orders', method: 'POST', run, downMs: 0 };
  await fetch(`${stage.shop.url}/admin/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(fault),
  });
  return session;
}

const PLACE = a('CLICK_ELEMENT', { selector: 'role=button[name="Place order"]' });

test('a POST whose connection breaks is sent once over HTTP, and the page says what may have happened', async () => {
  const session = await atCheckout();
  const { outcomes } = await session.run([PLACE]);
  expect(outcomes).toMatchObject([{ status: 'done' }]);
  const { evidence } = await session.lastEntry();
  expect(requestsIn(evidence)).toMatchObject([{ method: 'POST', url: `${stage.shop.url}/orders`, status: 502 }]);
  expect(await session.page().innerText('body')).toContain('the site may have carried it out');
  expect(stage.shop.orders.list({ run: session.sessionId })).toHaveLength(1);
  expect(stage.shop.faults.list()).toEqual([]);
});

/** A shop over TLS that breaks the connection of its first POST, which came over a connection that was used before. */
async function tlsShop(): Promise<{ url: string; posts: (string | undefined)[] }> {
  const posts: (string | undefined)[] = [];
  const shop = createTlsServer(makeCertificate(), (request, response) => {
    if (request.method !== 'POST') return void response.writeHead(200, { 'content-type': 'text/html' }).end(TLS_PAGE);
    posts.push(request.headers['order-key'] as string | undefined);
    if (posts.length === 1) return void request.socket.destroy();
    response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Thank you</h1>');
  });
  await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve));
  tlsShops.push(shop);
  return { url: `https://127.0.0.1:${(shop.address() as AddressInfo).port}`, posts };
}

async function orderOverTls(origins?: (url: string) => string[]): Promise<(string | undefined)[]> {
  const { url, posts } = await tlsShop();
  const session = await stage.newSession();
  await session.did([a('OPEN_PAGE', { url: 'about:blank' })]);
  const page = session.page();
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Security.setIgnoreCertificateErrors', { ignore: true });
  await session.open(url);
  const options = origins === undefined ? {} : { idempotency: { header: 'Order-Key', origins: origins(url) } };
  await session.did([PAY, a('EXPECT', { text: 'Thank you' })], options);
  return posts;
}

test('Chromium repeats a POST over TLS when a used connection breaks: the site gets it twice', async () => {
  expect(await orderOverTls()).toEqual([undefined, undefined]);
});

test('Chromium repeats a POST over TLS when a used connection breaks: with the header under one key', async () => {
  const [first, second, ...more] = await orderOverTls((url) => [url]);
  expect(first).toMatch(/^[0-9a-f-]{36}$/);
  expect([second, more]).toEqual([first, []]);
});

test('the key is in no event and no response', async () => {
  const session = await sharedSession();
  await session.did([SEND], keyed());
  const entry: JournalEntry = await session.lastEntry();
  expect(JSON.stringify([await session.log(), entry.evidence, entry.response])).not.toContain(entry.idempotencyKey);
});
