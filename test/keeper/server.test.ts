import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import {
  BrowserAccessSchema,
  KeeperEvidenceSchema,
  BrowserListingSchema,
  QuietSchema,
} from '../../contracts/browsers/keeper';
import { createKeeperApp } from '../../worker/keeper/server';
import { aRoot, cleanUp, CHROMIUM, keeperOver } from './fixture';

afterEach(cleanUp);

async function aKeeper(chromiumPath = CHROMIUM) {
  const app = createKeeperApp({ browsers: await keeperOver(aRoot(), { chromiumPath }), token: 'the-token' });
  return (method: string, path: string, body?: unknown, token = 'the-token') =>
    app.request(path, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
}

test('requires the token everywhere except on the health check', async () => {
  const call = await aKeeper();
  const calls = [
    ['GET', '/browsers'],
    ['POST', '/browsers'],
    ['DELETE', '/browsers/s'],
    ['GET', '/nowhere'],
  ] as const;
  for (const [method, path] of calls) expect((await call(method, path, undefined, 'wrong')).status).toBe(401);
  expect((await call('GET', '/health', undefined, 'wrong')).status).toBe(200);
});

test.each([
  ['no JSON', 'POST', '/browsers', '{', /Expected a JSON body/],
  ['no epoch', 'POST', '/browsers', { sessionId: 's', headless: true }, /body\.epoch/],
  ['an epoch of 0', 'POST', '/browsers/s/relay', { epoch: 0 }, /body\.epoch/],
  ['a session that is a path', 'POST', '/browsers', { sessionId: '../s', epoch: 1, headless: true }, /body\.sessionId/],
  [
    'a session that is a folder above',
    'POST',
    '/browsers',
    { sessionId: '..', epoch: 1, headless: true },
    /body\.sessionId/,
  ],
  ['no time', 'GET', '/browsers/s/evidence?since=yesterday', undefined, /since/],
])('refuses a request with %s', async (_, method, path, body, message) => {
  const response = await (await aKeeper())(method, path, body);
  expect(response.status).toBe(400);
  expect(((await response.json()) as { error: string }).error).toMatch(message);
});

test('a request with two hosts is refused before anything is done for one of them', async () => {
  const app = createKeeperApp({ browsers: await keeperOver(aRoot(), { chromiumPath: CHROMIUM }), token: 'the-token' });
  const server = createAdaptorServer({ fetch: app.fetch });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const statusOf = async (hosts: string): Promise<number> => {
    const socket = connect(port, '127.0.0.1');
    socket.write(`GET /browsers HTTP/1.1\r\n${hosts}Authorization: Bearer the-token\r\n\r\n`);
    const [line] = (await once(socket, 'data')) as [Buffer];
    socket.destroy();
    return Number(/^HTTP\/1\.1 (\d+)/.exec(line.toString())?.[1]);
  };
  const own = `Host: 127.0.0.1:${port}\r\n`;
  expect(await statusOf(own)).toBe(200);
  expect(await statusOf(`${own}Host: attacker.test\r\n`)).toBe(400);
  expect(await statusOf(`Host: attacker.test\r\n${own}`)).toBe(400);
  await new Promise((resolve) => server.close(resolve));
});

test('serves the life of a browser', async () => {
  const call = await aKeeper();
  expect((await call('POST', '/browsers/s/relay', { epoch: 1 })).status).toBe(404);
  const opened = await call('POST', '/browsers', { sessionId: 's', epoch: 2, headless: true });
  expect(BrowserAccessSchema.parse(await opened.json())).toMatchObject({ sessionId: 's', epoch: 2, isNew: true });
  expect((await call('POST', '/browsers/s/relay', { epoch: 1 })).status).toBe(409);
  const moved = await call('POST', '/browsers/s/relay', { epoch: 3 });
  expect(BrowserAccessSchema.parse(await moved.json()).epoch).toBe(3);
  const listed = BrowserListingSchema.array().parse(await (await call('GET', '/browsers')).json());
  expect(listed).toMatchObject([{ sessionId: 's', epoch: 3, attachedWorkers: 0 }]);
  expect(QuietSchema.safeParse(await (await call('GET', '/browsers/s/quiet')).json()).success).toBe(true);
  const evidence = await call('GET', '/browsers/s/evidence?since=2026-01-01T00:00:00.000Z');
  expect(KeeperEvidenceSchema.parse(await evidence.json())).toEqual({
    dialogs: [],
    requests: [],
    gaps: [],
    watchedSince: expect.any(String) as string,
  });
  expect((await call('DELETE', '/browsers/s')).status).toBe(204);
  expect((await call('DELETE', '/browsers/s')).status).toBe(204);
  expect((await call('GET', '/browsers/s/evidence')).status).toBe(404);
  expect((await call('GET', '/browsers/s/quiet')).status).toBe(404);
});

test('answers 503 with the reason when no Chrome can be started', async () => {
  const response = await (
    await aKeeper('/nowhere/chromium')
  )('POST', '/browsers', { sessionId: 's', epoch: 1, headless: true });
  expect(response.status).toBe(503);
  expect(await response.json()).toEqual({
    error: 'Chromium could not be started from /nowhere/chromium: spawn /nowhere/chromium ENOENT; set CHROMIUM_PATH.',
  });
});
