/** A keeper that dies while Chrome holds a request of an approved command: nobody has judged it, so it is not sent. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { WebSocketServer } from 'ws';
import type { ApprovedDeed } from '../../../contracts/browsers/approved-request';
import { aKeeperProcess, aRoot, attach, cleanUp, keeperOver, later, until } from '../fixture';

afterEach(cleanUp);

/** What a click on the button sends instead of the approved 10. */
const WAYS: Record<string, string> = {
  'a form': `form.amount.value = '900'; form.submit();`,
  'a form in a new tab': `form.amount.value = '900'; form.target = '_blank'; form.submit();`,
  'a script': `fetch('/pay', { method: 'POST', body: 'amount=900' });`,
  'a request that outlives its page': `fetch('/pay', { method: 'POST', body: 'amount=900', keepalive: true });`,
  'a beacon': `navigator.sendBeacon('/pay', 'amount=900');`,
  // It waits for the keeper before its script begins, and for nobody once that is gone.
  'a worker': `new Worker(URL.createObjectURL(new Blob(['fetch("' + origin + '/pay", { method: "POST", body: "amount=900" })'])));`,
};
/** A click sends in one way, and says so over a socket that nobody holds; what comes over the socket is a click. */
const PAGE = `<!doctype html><title>Shop</title><form method=post action=/pay><input type=hidden name=amount value=10></form>
  <button>Pay</button><script>
    const form = document.forms[0];
    const ways = { ${Object.entries(WAYS)
      .map(([way, script]) => `${JSON.stringify(way)}: () => { ${script} }`)
      .join(', ')} };
    const socket = new WebSocket('ws://' + location.host);
    socket.onmessage = () => document.querySelector('button').click();
    globalThis.connected = new Promise((opened) => socket.onopen = opened);
    document.querySelector('button').onclick = () => { ways[globalThis.way](); socket.send(globalThis.way); };
  </script>`;

async function aShop() {
  const posts: string[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      if (request.method === 'POST') posts.push(`${request.url} ${body}`);
      response.writeHead(200, { 'content-type': 'text/html' }).end(PAGE);
    });
  });
  const said: string[] = [];
  const sockets = new WebSocketServer({ server });
  sockets.on('connection', (socket) => socket.on('message', (message: Buffer) => said.push(message.toString())));
  const clickAll = (): void => sockets.clients.forEach((socket) => socket.send('click'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  later(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, posts, said, clickAll };
}

const setDeed = (url: string): { sessionId: string; epoch: number; deed: ApprovedDeed } => ({
  sessionId: 's',
  epoch: 1,
  deed: {
    commandId: 'c',
    submits: { method: 'POST', url: `${url}/pay` },
    entries: [['amount', '10']],
    nonces: [],
    fields: [['amount', '10']],
    shown: ['Pay', 'Shop'],
  },
});

/** A page of a keeper in a process of its own, and what a click on its button does. */
async function opened(way: string, fault?: string) {
  const [root, shop] = [aRoot(), await aShop()];
  const keeper = await aKeeperProcess(
    root,
    fault === undefined ? {} : { SUREFOOT_FAULT: fault, SUREFOOT_HOME: join(aRoot(), 'home') },
  );
  const { page } = await attach(keeper.access);
  await show(page, shop.url, way);
  return { root, shop, keeper, page };
}

async function show(page: Page, url: string, way: string): Promise<void> {
  await page.goto(url);
  await page.evaluate(async (each) => {
    Object.assign(globalThis, { way: each });
    await (globalThis as unknown as { connected: Promise<unknown> }).connected;
  }, way);
}

const click = (page: Page) => page.click('button', { noWaitAfter: true }).catch(() => undefined);

/** The next keeper; whatever the Chrome of the one before had held would have left once a later request of it arrives. */
async function successor(root: string) {
  const next = await keeperOver(root);
  const access = await next.open({ sessionId: 's', epoch: 2, headless: true });
  return { next, access, page: (await attach(access)).page };
}

const posts = async (root: string, shop: { url: string; posts: string[] }) => {
  const { page } = await successor(root);
  await page.goto(shop.url);
  await page.evaluate(() => fetch('/later', { method: 'POST' }).then((answer) => answer.text()));
  return shop.posts;
};

test('what a page would send is not sent where its keeper dies while it judges it', async () => {
  const { root, shop, keeper, page } = await opened('a script', 'kill@during-judgement:1');
  await keeper.call('setDeed', setDeed(shop.url));
  void click(page);
  await keeper.gone;
  expect(await posts(root, shop)).toEqual(['/later ']);
});

test('nor is what Chrome holds for a keeper that no longer reads, however the page sends it', async () => {
  const ways = Object.keys(WAYS);
  const { root, shop, keeper, page } = await opened(ways[0]!, 'stop@during-judgement:1');
  const pages = [page];
  for (const way of ways.slice(1)) {
    const other = await page.context().newPage();
    await show(other, shop.url, way);
    pages.push(other);
  }
  await keeper.call('setDeed', setDeed(shop.url));
  // The first request stops the keeper, and with it the way of any command to a page.
  shop.clickAll();
  await until('each page has sent', () => ways.every((way) => shop.said.includes(way)));
  await keeper.kill();
  expect(await posts(root, shop)).toEqual(['/later ']);
});

test.each(['killed', 'stopped', 'asked to close its Chrome'])(
  'what waits until an approved command is over is not sent where its keeper is %s before that',
  async (how) => {
    const { root, shop, keeper, page } = await opened('a script');
    const report = () => page.evaluate(() => void fetch('/report', { method: 'POST', body: 'seen' }));
    await report();
    await until('the page has a habit', () => shop.posts.length === 1);
    await keeper.call('setDeed', setDeed(shop.url));
    await report();
    // Requests of one page are paused in their order.
    await page.evaluate(() => fetch('/look').then((answer) => answer.text()));
    if (how === 'stopped') await keeper.call('stop', { endBrowsers: false });
    if (how === 'asked to close its Chrome') await keeper.call('close', 's' as never);
    await keeper.kill();
    expect(await posts(root, shop)).toEqual(['/report seen', '/later ']);
  },
);

test('the next keeper says why it ended a Chrome, and keeps one that waited for an approved command', async () => {
  const { root, shop, keeper, page } = await opened('a script');
  await keeper.call('setDeed', setDeed(shop.url));
  await keeper.kill();
  const next = await keeperOver(root);
  await expect(next.openRelay({ sessionId: 's', epoch: 2 })).rejects.toMatchObject({
    status: 404,
    reason: expect.stringMatching(/^Its keeper ended while it judged what an approved command sends/),
  });
  await page.context().browser()?.close();
  const access = await next.open({ sessionId: 's', epoch: 2, headless: true });
  await next.setDeed({ ...setDeed(shop.url), epoch: 2 });
  let isOver = false;
  const over = next.deedsOver(60_000).then(() => (isOver = true));
  expect(isOver).toBe(false);
  await next.setDeed({ sessionId: 's', epoch: 2, deed: undefined });
  await over;
  await next.stop({ endBrowsers: false });
  expect((await keeperOver(root)).list()).toMatchObject([{ sessionId: 's', pid: access.pid }]);
});
