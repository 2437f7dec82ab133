import { createServer, request } from 'node:http';
import { connect, isIP, type AddressInfo, type Socket } from 'node:net';
import type { BlockedOrigin } from '../../../contracts/browsers/keeper';
import { networkPolicy, type OperatorNetwork, type SessionNetwork } from '../../../contracts/browsers/network-policy';
import { checkEndpoint, type Resolve } from '../../../runtime/egress/checked-addresses';
import { startOriginProxy } from '../../../worker/keeper/egress/origin-proxy';
import { engineEndpoints } from '../../../runtime/egress/engine-endpoints';
import { isPrivateAddress } from '../../../runtime/egress/addresses';
import { guardOfUrl } from '../../../runtime/egress/judge-endpoint';
import { DEFAULT_NETWORK } from '../../support/open-network';
import { cleanUp, later, until } from '../fixture';

afterEach(cleanUp);

/** A site that answers with what it was asked. */
async function site() {
  const asked: string[] = [];
  const server = createServer((incoming, response) => {
    asked.push(`${incoming.method} ${incoming.headers.host} ${incoming.url}`);
    if (incoming.url === '/break') return void incoming.socket.destroy();
    response.setHeader('x-kept', 'yes').end('the site');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  later(() => server.close());
  return { port: (server.address() as AddressInfo).port, asked };
}

async function proxyFor(
  session: SessionNetwork,
  resolve: Resolve,
  { operator = DEFAULT_NETWORK, services = [] }: { operator?: OperatorNetwork; services?: string[] } = {},
) {
  const blocked: Pick<BlockedOrigin, 'origin' | 'guard'>[] = [];
  const engine = engineEndpoints({ services: () => services, ports: () => [] });
  const proxy = await startOriginProxy({ policy: networkPolicy(session, operator), engine, port: 0, resolve });
  proxy.reportTo((one) => blocked.push(one));
  later(() => proxy.close());
  return { ...proxy, blocked };
}

async function ask(
  proxyPort: number,
  url: string,
  method = 'GET',
): Promise<{ status: number; text: string; kept: unknown }> {
  return await new Promise((resolve, reject) => {
    const asking = request(
      { host: '127.0.0.1', port: proxyPort, path: url, method, headers: { Host: new URL(url).host } },
      (answer) => {
        let text = '';
        answer.on('data', (chunk: Buffer) => (text += chunk.toString()));
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text, kept: answer.headers['x-kept'] }));
      },
    );
    asking.on('error', reject).end();
  });
}

async function openTunnel(proxyPort: number, endpoint: string): Promise<{ answer: string; socket: Socket }> {
  const socket = connect(proxyPort, '127.0.0.1');
  later(() => socket.destroy());
  let answer = '';
  socket.on('data', (chunk) => (answer += chunk.toString()));
  socket.write(`CONNECT ${endpoint} HTTP/1.1\r\nHost: ${endpoint}\r\n\r\n`);
  await until('an answer to CONNECT', () => answer.includes('\r\n\r\n'));
  return { answer: answer.split('\r\n')[0]!, socket };
}

const only = (origin: string): SessionNetwork => ({ allowedOrigins: [origin], allowPrivateAddresses: false });
const loopback: Resolve = async () => [{ address: '127.0.0.1', family: 4 }];

test('forwards a request to an allowed origin unchanged, and no other', async () => {
  const { port, asked } = await site();
  const other = await site();
  const proxy = await proxyFor({ allowedOrigins: [`http://shop.test:${port}`], allowPrivateAddresses: true }, loopback);
  expect(await ask(proxy.port, `http://shop.test:${port}/a?b=c`)).toEqual({
    status: 200,
    text: 'the site',
    kept: 'yes',
  });
  expect(asked).toEqual([`GET shop.test:${port} /a?b=c`]);
  for (const url of [`http://evil.test:${port}/`, `http://shop.test:${other.port}/`, `http://127.0.0.1:${port}/`]) {
    expect((await ask(proxy.port, url)).status).toBe(403);
    expect(proxy.blocked.at(-1)).toEqual({ origin: new URL(url).origin, guard: 'allowed-origins' });
  }
  expect([asked.length, other.asked.length]).toEqual([1, 0]);
});

test('opens a tunnel to the host and port of an allowed origin, and no other', async () => {
  const { port } = await site();
  const proxy = await proxyFor(
    { allowedOrigins: [`https://shop.test:${port}`], allowPrivateAddresses: true },
    loopback,
  );
  const { answer, socket } = await openTunnel(proxy.port, `shop.test:${port}`);
  expect(answer).toContain('200');
  let received = '';
  socket.on('data', (chunk) => (received += chunk.toString()));
  socket.write('GET /through HTTP/1.1\r\nHost: shop.test\r\nConnection: close\r\n\r\n');
  await until('the site answers through the tunnel', () => received.includes('the site'));
  for (const endpoint of [`evil.test:${port}`, 'shop.test:443', `[::1]:${port}`]) {
    expect((await openTunnel(proxy.port, endpoint)).answer).toContain('403');
  }
  expect(proxy.blocked.map(({ guard }) => guard)).toEqual(Array(3).fill('allowed-origins'));
});

test('an allowed name with a private address is refused unless that is allowed, and is resolved once', async () => {
  const { port, asked } = await site();
  let lookUps = 0;
  // A name that its owner moves to this machine after it was checked.
  const rebinding: Resolve = async () => [{ address: (lookUps += 1) > 1 ? '127.0.0.1' : '10.0.0.7', family: 4 }];
  const strict = await proxyFor(only(`http://shop.test:${port}`), rebinding);
  expect((await ask(strict.port, `http://shop.test:${port}/`)).status).toBe(403);
  expect(strict.blocked).toEqual([{ origin: `http://shop.test:${port}`, guard: 'private-address' }]);
  expect([lookUps, asked]).toEqual([1, []]);
  const mapped = await proxyFor(only(`http://shop.test:${port}`), async () => [
    { address: '::ffff:127.0.0.1', family: 6 },
  ]);
  expect((await ask(mapped.port, `http://shop.test:${port}/`)).status).toBe(403);
  const literal = await proxyFor(only(`http://127.0.0.1:${port}`), loopback);
  expect((await ask(literal.port, `http://127.0.0.1:${port}/`)).status).toBe(200);
});

test('sends a request once: a POST whose connection breaks is answered with 502, and a GET breaks as well', async () => {
  const { port, asked } = await site();
  const proxy = await proxyFor(only(`http://127.0.0.1:${port}`), loopback);
  const { status, text } = await ask(proxy.port, `http://127.0.0.1:${port}/break`, 'POST');
  expect([status, text]).toEqual([502, expect.stringContaining('the site may have carried it out')]);
  await expect(ask(proxy.port, `http://127.0.0.1:${port}/break`)).rejects.toThrow('socket hang up');
  expect(asked).toHaveLength(2);
});

test('a name that is not found breaks the connection, as the site would', async () => {
  const proxy = await proxyFor(only('http://gone.test'), () => Promise.reject(new Error('ENOTFOUND')));
  await expect(ask(proxy.port, 'http://gone.test/')).rejects.toThrow('socket hang up');
});

describe('a session that was given nothing', () => {
  const nothing: SessionNetwork = { allowPrivateAddresses: false };

  test.each([
    'http://127.0.0.1:PORT/',
    'http://localhost:PORT/',
    'http://any.localhost:PORT/',
    'http://2130706433:PORT/',
    'http://0x7f.1:PORT/',
    'http://[::1]:PORT/',
    'http://[::ffff:127.0.0.1]:PORT/',
    'http://[::127.0.0.1]:PORT/',
    'http://inside.test:PORT/',
  ])('reaches no %s of this machine', async (url) => {
    const { port, asked } = await site();
    const proxy = await proxyFor(nothing, loopback);
    const sought = url.replace('PORT', String(port));
    expect((await ask(proxy.port, sought)).status).toBe(403);
    expect((await openTunnel(proxy.port, new URL(sought).host)).answer).toContain('403');
    expect(proxy.blocked.map(({ guard }) => guard)).toEqual(['private-address', 'private-address']);
    expect(asked).toEqual([]);
  });

  test.each([
    'http://169.254.169.254/latest/meta-data/',
    'http://[fd00:ec2::254]/latest/meta-data/',
    'http://[::ffff:169.254.169.254]/',
    'http://metadata.google.internal/computeMetadata/v1/',
    'http://metadata/',
    'http://168.63.129.16/metadata',
    'http://100.100.100.200/latest/meta-data/',
    'http://0.0.0.0:8080/',
    'http://[fe80::1]/',
  ])('reaches no %s, and no other session is given it', async (url) => {
    const given: SessionNetwork[] = [
      nothing,
      only(new URL(url).origin),
      { givenOrigins: [new URL(url).origin], allowPrivateAddresses: true },
    ];
    for (const session of given) {
      const proxy = await proxyFor(session, loopback);
      expect((await ask(proxy.port, url)).status).toBe(403);
      expect(proxy.blocked).toEqual([{ origin: new URL(url).origin, guard: 'reserved-address' }]);
    }
  });

  test('reaches public addresses: of a name that has both kinds, the public one', async () => {
    const resolve: Resolve = async () =>
      ['127.0.0.1', '192.0.2.1', '::1'].map((address) => ({ address, family: isIP(address) }));
    const engine = engineEndpoints({ services: () => [], ports: () => [] });
    const check = await checkEndpoint(
      { host: 'both.test', port: 80 },
      { policy: networkPolicy(nothing, DEFAULT_NETWORK), engine, resolve },
    );
    expect(check).toEqual({ kind: 'allowed', addresses: [{ address: '192.0.2.1', family: 4 }] });
  });
});

test('an address that the request gives is reached, and no other address of this machine', async () => {
  const [given, other] = [await site(), await site()];
  const proxy = await proxyFor(
    { givenOrigins: [`http://127.0.0.1:${given.port}`], allowPrivateAddresses: false },
    loopback,
  );
  expect((await ask(proxy.port, `http://127.0.0.1:${given.port}/`)).status).toBe(200);
  for (const url of [`http://127.0.0.1:${other.port}/`, `http://inside.test:${given.port}/`])
    expect((await ask(proxy.port, url)).status).toBe(403);
  expect(other.asked).toEqual([]);
  proxy.setPolicy(
    networkPolicy({ givenOrigins: [`http://127.0.0.1:${other.port}`], allowPrivateAddresses: false }, DEFAULT_NETWORK),
  );
  expect((await ask(proxy.port, `http://127.0.0.1:${other.port}/`)).status).toBe(200);
});

test('a service of the engine is reached by nobody, whoever gives it', async () => {
  const { port, asked } = await site();
  const origin = `http://127.0.0.1:${port}`;
  const operator = { ...DEFAULT_NETWORK, privateOrigins: ['http://127.0.0.1:*', 'http://inside.test:*'] };
  for (const service of [`127.0.0.1:${port}`, `postgres://user:word@localhost:${port}/postgres`, origin]) {
    const proxy = await proxyFor(only(origin), loopback, { operator, services: [service] });
    for (const url of [`${origin}/`, `http://[::ffff:127.0.0.1]:${port}/`])
      expect((await ask(proxy.port, url)).status).toBe(403);
    expect(proxy.blocked[0]).toEqual({ origin, guard: 'reserved-address' });
  }
  expect(asked).toEqual([]);
});

test('an operator lets every session reach an origin, forbids requests to give more, and limits them all', async () => {
  const [own, given] = [await site(), await site()];
  const [ownUrl, givenUrl] = [`http://wiki.test:${own.port}/`, `http://127.0.0.1:${given.port}/`];
  const operator = { allowedOrigins: [], privateOrigins: [`http://wiki.test:${own.port}`], mayGivePrivate: false };
  const proxy = await proxyFor(only(new URL(givenUrl).origin), loopback, { operator });
  expect((await ask(proxy.port, givenUrl)).status).toBe(403);
  const open = await proxyFor({ allowPrivateAddresses: true }, loopback, { operator });
  expect((await ask(open.port, ownUrl)).status).toBe(200);
  const limit = {
    ...DEFAULT_NETWORK,
    allowedOrigins: ['https://*.shop.example'],
    privateOrigins: [new URL(ownUrl).origin],
  };
  const limited = await proxyFor(only(new URL(ownUrl).origin), loopback, { operator: limit });
  expect((await ask(limited.port, ownUrl)).status).toBe(403);
  expect(limited.blocked).toEqual([{ origin: new URL(ownUrl).origin, guard: 'allowed-origins' }]);
  expect([own.asked.length, given.asked]).toEqual([1, []]);
});

test.each([
  ['10.1.2.3', true],
  ['::10.1.2.3', true],
  ['::ffff:0:10.1.2.3', true],
  ['169.254.0.1', true],
  ['127.8.8.8', true],
  ['169.254.169.254', true],
  ['100.64.0.1', true],
  ['::1', true],
  ['fd00::1', true],
  ['::ffff:192.168.1.1', true],
  ['64:ff9b::a00:1', true],
  ['93.184.216.34', false],
  ['2606:2800:220:1:248:1893:25c8:1946', false],
])('%s is private: %s', (address, isPrivate) => {
  expect(isPrivateAddress(address)).toBe(isPrivate);
});

test.each([
  ['https://shop.example', 'https://shop.example/a', true],
  ['https://shop.example', 'http://shop.example/a', false],
  ['https://shop.example', 'https://shop.example:8443/', false],
  ['https://shop.example', 'https://shop.example.evil.test/', false],
  ['https://shop.example', 'https://shop.example@evil.test/', false],
  ['https://shop.example', 'wss://shop.example/live', true],
  ['https://*.shop.example', 'https://a.b.shop.example/', true],
  ['https://*.shop.example', 'https://shop.example/', false],
  ['https://*.shop.example', 'https://evilshop.example/', false],
  ['http://[::1]:8080', 'http://[::1]:8080/', true],
])('%s allows %s: %s', (pattern, url, isAllowed) => {
  expect(guardOfUrl(networkPolicy(only(pattern), DEFAULT_NETWORK), url) === undefined).toBe(isAllowed);
});
