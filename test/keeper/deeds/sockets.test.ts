/** Nobody can hold what a page sends over a WebSocket: it is compared once it has left, and what was not approved is reported. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright';
import { WebSocketServer } from 'ws';
import type { Browsers } from '../../../worker/keeper/browsers/browsers';
import { aRoot, attach, cleanUp, keeperOver, later, until } from '../fixture';

afterEach(cleanUp);

const PAGE = `<!doctype html><title>Shop</title><button>Pay</button><script>
  const open = (path) => new Promise((opened) => {
    const socket = new WebSocket('ws://' + location.host + path);
    socket.onopen = () => opened(socket);
  });
  globalThis.open = open;
  globalThis.connected = open('/live?token=abc').then((socket) => Object.assign(globalThis, { socket }));
</script>`;

interface Home {
  connected: Promise<unknown>;
  open(path: string): Promise<WebSocket>;
  socket: WebSocket;
}

async function aShop() {
  const frames: string[] = [];
  const server = createServer((_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end(PAGE));
  const sockets = new WebSocketServer({ server });
  sockets.on('connection', (socket) => socket.on('message', (message: Buffer) => frames.push(message.toString())));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  later(() => {
    sockets.clients.forEach((socket) => socket.terminate());
    server.closeAllConnections();
    server.close();
  });
  return { host: `127.0.0.1:${(server.address() as AddressInfo).port}`, frames };
}

async function aSession() {
  const [browsers, shop] = [await keeperOver(aRoot()), await aShop()];
  const { page } = await attach(await browsers.open({ sessionId: 's', epoch: 1, headless: true }));
  await page.goto(`http://${shop.host}`);
  await page.evaluate(() => (globalThis as unknown as Home).connected);
  return { browsers, shop, page };
}

const begin = (browsers: Browsers) =>
  browsers.setDeed({
    sessionId: 's',
    epoch: 1,
    deed: {
      commandId: 'c',
      entries: [],
      nonces: [],
      fields: [['amount', '10']],
      shown: ['Pay', 'You pay 10 EUR for beans'],
    },
  });
const end = (browsers: Browsers) => browsers.setDeed({ sessionId: 's', epoch: 1, deed: undefined });
/** What a click does. */
const send = (page: Page, script: string) =>
  page.evaluate(
    `document.querySelector('button').onclick = () => { ${script} }; document.querySelector('button').click()`,
  );

/** Ways of a page to send 900 over a socket after a yes for 10. */
const OTHER: Record<string, string> = {
  JSON: `socket.send(JSON.stringify({ type: 'pay', amount: 900 }))`,
  'an event of Socket.IO': `socket.send('42' + JSON.stringify(['pay', { amount: 900 }]))`,
  'a text': `socket.send('pay 900')`,
  'a nested document': `socket.send(JSON.stringify({ order: { lines: [{ sum: { value: '900' } }] } }))`,
  'a frame of STOMP': `socket.send('SEND\\ndestination:/app/pay\\n\\n{"amount":900}\\0')`,
  bytes: `socket.send(new TextEncoder().encode('pay 900'))`,
  'a new socket': `open('/pay').then((socket) => socket.send('{"amount":900}'))`,
  'the address of a new socket': `void open('/pay?amount=900')`,
  'the path of a new socket': `void open('/pay/900')`,
  'a second frame': `socket.send('{"type":"hello"}'); socket.send('{"sum":900}')`,
  'a worker': `const script = 'const socket = new WebSocket("ws://" + "' + location.host + '/pay"); socket.onopen = () => socket.send("pay 900")';
    new Worker(URL.createObjectURL(new Blob([script])));`,
};

test('however a page sends 900 over a WebSocket after a yes for 10, it is said that nobody approved it', async () => {
  const { browsers, page, shop } = await aSession();
  const unnoticed: string[] = [];
  for (const [way, script] of Object.entries(OTHER)) {
    await page.goto(`http://${shop.host}`);
    await page.evaluate(() => (globalThis as unknown as Home).connected);
    await begin(browsers);
    await send(page, script);
    const noticed = await until(`${way} is noticed`, async () => (await begin(browsers))?.overSocket, 5000).catch(
      () => undefined,
    );
    if (noticed?.reasons.length === undefined) unnoticed.push(way);
    await end(browsers);
  }
  expect(unnoticed).toEqual([]);
});

test('what was approved, heartbeats, and what a page sends all the time are nothing new', async () => {
  const { browsers, page, shop } = await aSession();
  await send(page, `socket.send('{"type":"pointer","x":17,"y":4}'); socket.send(new Uint8Array([1, 2]))`);
  await until('they arrive', () => shop.frames.length === 2);
  await begin(browsers);
  await send(
    page,
    `socket.send('{"type":"pay","amount":10,"item":"beans"}'); socket.send('2'); socket.send('42["pay",{"amount":"10.00"}]');
     socket.send('{"type":"pointer","x":911,"y":90}'); socket.send(new Uint8Array([3]))`,
  );
  await until('they arrive', () => shop.frames.length === 7);
  expect(await end(browsers)).toEqual({ commandId: 'c', sent: 0 });
  // A field that has another value than the one approved is never a habit.
  await send(page, `socket.send('{"amount":1}')`);
  await until('it arrives', () => shop.frames.length === 8);
  await begin(browsers);
  await send(page, `socket.send('{"amount":9}')`);
  expect(await until('it is noticed', async () => (await begin(browsers))?.overSocket)).toMatchObject({
    request: { method: 'SEND', url: `ws://${shop.host}/live` },
    reasons: ['amount would be “9”, and “10” was approved.'],
  });
});

test('the sockets of a page are known while they are open, without the queries of their addresses', async () => {
  const { browsers, page, shop } = await aSession();
  expect(browsers.openSockets('s')).toEqual([`ws://${shop.host}/live`]);
  await page.evaluate(() => (globalThis as unknown as Home).socket.close());
  await until('it is closed', () => browsers.openSockets('s').length === 0);
});
