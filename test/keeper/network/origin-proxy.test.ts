import { createServer, request } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import type { BlockedOrigin } from '../../../contracts/browsers/keeper';
import { allowsUrl } from '../../../contracts/browsers/origins';
import type { Resolve } from '../../../keeper/network/checked-addresses';
import { startOriginProxy } from '../../../keeper/network/origin-proxy';
import { isPrivateAddress } from '../../../keeper/network/private-addresses';
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

async function proxyFor(allowedOrigins: string[], resolve: Resolve, allowPrivateAddresses = false) {
  const blocked: Pick<BlockedOrigin, 'origin' | 'guard'>[] = [];
  const policy = { allowedOrigins, allowPrivateAddresses };
  const proxy = await startOriginProxy({ policy, port: 0, resolve, onBlocked: (one) => blocked.push(one) });
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

const loopback: Resolve = async () => [{ address: '127.0.0.1', family: 4 }];

test('forwards a request to an allowed origin unchanged, and no other', async () => {
  const { port, asked } = await site();
  const other = await site();
  const proxy = await proxyFor([`http://shop.test:${port}`], loopback, true);
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
  const proxy = await proxyFor([`https://shop.test:${port}`], loopback, true);
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
  const strict = await proxyFor([`http://shop.test:${port}`], rebinding);
  expect((await ask(strict.port, `http://shop.test:${port}/`)).status).toBe(403);
  expect(strict.blocked).toEqual([{ origin: `http://shop.test:${port}`, guard: 'private-address' }]);
  expect([lookUps, asked]).toEqual([1, []]);
  const mapped = await proxyFor([`http://shop.test:${port}`], async () => [{ address: '::ffff:127.0.0.1', family: 6 }]);
  expect((await ask(mapped.port, `http://shop.test:${port}/`)).status).toBe(403);
  const literal = await proxyFor([`http://127.0.0.1:${port}`], loopback);
  expect((await ask(literal.port, `http://127.0.0.1:${port}/`)).status).toBe(200);
});

test('sends a request once: a broken connection is answered with 502, and not retried', async () => {
  const { port, asked } = await site();
  const proxy = await proxyFor([`http://127.0.0.1:${port}`], loopback);
  expect((await ask(proxy.port, `http://127.0.0.1:${port}/break`, 'POST')).status).toBe(502);
  expect(asked).toHaveLength(1);
});

test.each([
  ['10.1.2.3', true],
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
  expect(allowsUrl({ allowedOrigins: [pattern], allowPrivateAddresses: false }, url)).toBe(isAllowed);
});
