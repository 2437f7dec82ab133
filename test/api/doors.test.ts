/**
 * Every route that the API serves, from its own table of routes and over a real server: closed without the token and
 * counted against the rate limit, unless its definition opens it.
 */
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request, type IncomingMessage, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { createAdaptorServer } from '@hono/node-server';
import { WebSocket } from 'ws';
import { createApi } from '../../api/app';
import type { ApiApp, ApiParts } from '../../api/context';
import { openRelayGateway, type RelayGateway } from '../../api/relay/gateway';
import { createUpgradeListener } from '../../api/upgrades';
import { connectTemporal } from '../../client/connection/connect-temporal';
import { RELAY_PATH } from '../../contracts/relay/protocol';
import { encryptionOptions } from '../../runtime/payloads/data-converter';
import { PayloadKeysSchema } from '../../runtime/payloads/payload-keys';
import { openRawClient } from '../support/raw-relay-client';
import { silent, startTestApi, type TestApi } from './fixture';

const TOKEN = 'a-token-of-enough-characters';

/** What is served to strangers; everything else asks for the token. */
const OPEN = [
  'GET /',
  'GET /docs',
  'GET /docs/assets/favicon-32x32.png',
  'GET /docs/assets/swagger-ui-bundle.js',
  'GET /docs/assets/swagger-ui.css',
  'GET /guide',
  'GET /guide/*',
  'GET /health',
  'GET /openapi.json',
];
/** What checks a token of its own, or is the question of a browser before a request. Counted as all others are. */
const OTHERWISE_CHECKED = [
  'GET /v1/relay',
  'OPTIONS /codec/decode',
  'OPTIONS /codec/encode',
  'POST /v1/browser-sessions/register',
  'POST /v1/browser-sessions/rotate',
];

let api: TestApi;
let temporal: ReturnType<typeof connectTemporal>;
let relay: RelayGateway;
let sessionToken: string;
let guideFolder: string;
const servers: Server[] = [];

beforeAll(async () => {
  api = await startTestApi();
  temporal = connectTemporal({ address: api.stack.temporalAddress, namespace: 'default' });
  guideFolder = mkdtempSync(join(tmpdir(), 'guide-'));
  writeFileSync(join(guideFolder, '404.html'), '<h1>There is no such page</h1>');
  relay = openRelayGateway({ store: api.store, temporal, logger: silent, heartbeatMs: 60_000 });
  const { pairingToken } = await api.store.relay.sessions.pair({ tenant: 'default', lifeMs: 60_000 });
  ({ sessionToken } = (await api.store.relay.sessions.register(pairingToken, 60_000))!);
});
afterAll(async () => {
  agent.destroy();
  await relay.close();
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
  await temporal.connection.close();
  await api.stop();
  rmSync(guideFolder, { recursive: true });
});

/** The API with everything that it may serve. */
function wholeApi(callers: ApiParts['callers'], names?: string[]): ApiApp {
  const [codec] = encryptionOptions(PayloadKeysSchema.parse(`k=${'s'.repeat(32)}`)).dataConverter!.payloadCodecs!;
  const payloadCodec = { codec: codec!, isAllowed: () => false };
  const health = { store: () => Promise.resolve(), temporal: () => Promise.resolve() };
  return createApi({ ...api.parts, health, relay, payloadCodec, guideFolder, callers, names });
}

async function serve(app: ApiApp): Promise<number> {
  const server = createAdaptorServer({ fetch: app.fetch }) as Server;
  server.on('upgrade', createUpgradeListener(app, silent));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  servers.push(server);
  return (server.address() as AddressInfo).port;
}

/** The table of the app itself: a route that is added later is walked too. */
function routesOf(app: ApiApp): string[] {
  const routes = app.routes.filter(({ method }) => method !== 'ALL').map(({ method, path }) => `${method} ${path}`);
  return [...new Set(routes)].sort();
}

const pathOf = (path: string): string => path.replaceAll(/:\w+/g, 'x').replaceAll('*', 'x');

type Sent = { method: string; path: string; headers?: Record<string, string> };

const agent = new Agent({ keepAlive: true });

/** Sends a request with this very target, which no client has normalized. */
async function send(port: number, { method, path, headers = {} }: Sent): Promise<number> {
  const sent = request({
    ...{ host: '127.0.0.1', port, method, path, agent },
    headers: { 'content-length': '0', ...headers },
  });
  sent.end();
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  await text(answer);
  return answer.statusCode!;
}

/** Each way to bring no token of this API that is valid. */
const WITHOUT_TOKEN = (): [string, Record<string, string>][] => [
  ['none', {}],
  ['an empty one', { authorization: 'Bearer ' }],
  ['a wrong one', { authorization: 'Bearer another-token-of-enough' }],
  ['its beginning', { authorization: `Bearer ${TOKEN.slice(0, -1)}` }],
  ['another scheme', { authorization: `Basic ${TOKEN}` }],
  ['two in one', { authorization: `Bearer wrong ${TOKEN}` }],
  ['that of a browser', { authorization: `Bearer ${sessionToken}` }],
  ['one in another header', { 'x-authorization': `Bearer ${TOKEN}`, cookie: `token=${TOKEN}` }],
];

/** Other ways to write a path, which a proxy or a router may take for the same. */
const SPELLINGS: [string, (path: string) => string][] = [
  ['a trailing slash', (path) => `${path}/`],
  ['two slashes', (path) => path.replaceAll('/', '//')],
  ['upper case', (path) => path.toUpperCase()],
  ['an encoded letter', (path) => path.replace('v1', '%761')],
  ['an encoded slash', (path) => path.replace(/(.)\//, '$1%2F')],
  ['a dot segment', (path) => `/.${path}`],
  ['a way through an open folder', (path) => `/guide/..${path}`],
  ['an encoded way through an open folder', (path) => `/guide/%2e%2e${path}`],
  ['a doubly encoded way through an open folder', (path) => `/docs/%252e%252e${path}`],
  ['a parameter', (path) => `${path};open=1`],
  ['a query like an open path', (path) => `${path}?/health`],
  ['a null', (path) => `${path}%00`],
];

/** What a route sends to whom it lets in, whatever it thinks of the rest of the request. */
const BODY = JSON.stringify({ pairing_token: 'a-guess-of-a-token' });

test('every route asks for the token, whatever is brought instead, but for those that are declared open', async () => {
  const app = wholeApi({ token: TOKEN });
  const port = await serve(app);
  const opened: string[] = [];
  for (const route of routesOf(app)) {
    const [method = '', path = ''] = route.split(' ');
    const statuses = new Set<number>();
    for (const [, headers] of WITHOUT_TOKEN()) statuses.add(await send(port, { method, path: pathOf(path), headers }));
    if ([...statuses].join() !== '401') opened.push(route);
  }
  expect(opened).toEqual([...OPEN, ...OTHERWISE_CHECKED].sort());
});

test('no spelling of a closed route, no HEAD, OPTIONS or unknown method, and no path without a route gets past the token', async () => {
  const app = wholeApi({ token: TOKEN });
  const port = await serve(app);
  const isOpen = new Set([...OPEN, ...OTHERWISE_CHECKED]);
  const passed: string[] = [];
  const expectClosed = async (what: string, sent: Sent): Promise<void> => {
    const status = await send(port, sent);
    // 400: no address at all, which no route sees.
    if (status !== 401 && status !== 400) passed.push(`${what}: ${sent.method} ${sent.path} ${status}`);
  };
  const closed = routesOf(app).filter((route) => !isOpen.has(route));
  expect(closed.length).toBeGreaterThan(45);
  for (const route of closed) {
    const [method = '', path = ''] = route.split(' ');
    for (const [what, spell] of SPELLINGS) await expectClosed(what, { method, path: spell(pathOf(path)) });
    for (const other of ['HEAD', 'OPTIONS', 'DELETE', 'PATCH', 'PROPFIND', 'TRACE'])
      if (!isOpen.has(`${other} ${path}`)) await expectClosed('another method', { method: other, path: pathOf(path) });
  }
  for (const path of [
    '/v1',
    '/v1/',
    '/v2/sessions',
    '/metrics',
    '/debug',
    '/.env',
    '/codec',
    '/docs/assets/',
    '/health/x',
  ])
    await expectClosed('no route', { method: 'GET', path });
  expect(passed).toEqual([]);
}, 60_000);

test('a route that is added without a word on its access is closed, also below a folder that is open', async () => {
  const app = wholeApi({ token: TOKEN });
  app.get('/v1/later', (c) => c.text('secret'));
  app.all('/later', (c) => c.text('secret'));
  app.get('/guide/later', (c) => c.text('secret'));
  app.use('/mounted/*', async (c) => c.text('secret'));
  for (const path of ['/v1/later', '/later', '/guide/later', '/mounted/x']) {
    expect([path, (await app.request(path)).status]).toEqual([path, 401]);
    const headers = { authorization: `Bearer ${TOKEN}` };
    expect([path, (await app.request(path, { headers })).status]).not.toEqual([path, 401]);
  }
});

test('without the token recipes are not listed, imported, promoted, exported or deleted', async () => {
  const port = await serve(wholeApi({ token: TOKEN }));
  const owned = await api.store.recipes.list();
  for (const [method, path] of [
    ['GET', '/v1/recipes'],
    ['GET', '/v1/recipes/export?ids=rcp_6f1c2a0d9b7e4c5f&as=json'],
    ['GET', '/v1/recipes/rcp_6f1c2a0d9b7e4c5f'],
    ['GET', '/v1/recipes/rcp_6f1c2a0d9b7e4c5f/versions'],
    ['DELETE', '/v1/recipes/rcp_6f1c2a0d9b7e4c5f'],
    ['PUT', '/v1/recipes/rcp_6f1c2a0d9b7e4c5f/promoted'],
    ['GET', '/v1/health/modules'],
  ] as const)
    expect([path, await send(port, { method, path })]).toEqual([path, 401]);
  const planted = await fetch(`http://127.0.0.1:${port}/v1/recipes/import`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ text: "await page.goto('https://attacker.example');", name: 'planted' }),
  });
  expect(planted.status).toBe(401);
  expect(await api.store.recipes.list()).toEqual(owned);
});

test('every route counts against the rate limit of its address, but for those that are declared open', async () => {
  const app = wholeApi({ token: TOKEN, requestsPerMinute: 1 });
  const uncounted: string[] = [];
  for (const route of [...routesOf(app), 'GET /v1/nothing', 'GET /nothing']) {
    const [method = '', path = ''] = route.split(' ');
    const from = { incoming: { socket: { remoteAddress: route }, rawHeaders: [], url: '/' } as never };
    const body = method === 'POST' || method === 'PUT' ? { body: BODY } : {};
    const ask = () =>
      app.request(pathOf(path), { method, headers: { 'content-type': 'application/json' }, ...body }, from);
    await ask();
    if ((await ask()).status !== 429) uncounted.push(route);
  }
  expect(uncounted).toEqual(OPEN);
});

test('a page of another origin changes nothing by any route that does not check pages or their tokens itself', async () => {
  const app = wholeApi({ token: TOKEN });
  const taken: string[] = [];
  for (const route of routesOf(app)) {
    const [method = '', path = ''] = route.split(' ');
    if (method === 'GET') continue;
    const headers = {
      origin: 'https://elsewhere.test',
      authorization: `Bearer ${TOKEN}`,
      'content-type': 'text/plain',
    };
    const answer = await app.request(pathOf(path), { method, headers });
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
    if (answer.status !== 403) taken.push(route);
  }
  expect(taken).toEqual(OTHERWISE_CHECKED.filter((route) => !route.startsWith('GET')));
});

test('a socket is opened at the relay alone, under the names of the API and within the rate limit', async () => {
  const port = await serve(wholeApi({ token: TOKEN }, ['127.0.0.1']));
  const refusalAt = async (path: string, headers: Record<string, string> = {}): Promise<string> => {
    const [error] = (await once(new WebSocket(`ws://127.0.0.1:${port}${path}`, { headers }), 'error')) as [Error];
    return error.message;
  };
  for (const path of [
    '/docs',
    '/v1/sessions',
    '/v1/relay/',
    '/V1/relay',
    '//v1/relay',
    '/v1/relay/../sessions',
    '/nothing',
  ])
    expect([path, await refusalAt(path)]).toEqual([path, expect.stringContaining(path === '/docs' ? '400' : '401')]);
  expect(await refusalAt(RELAY_PATH, { host: 'attacker.test' })).toContain('403');
  const token = { authorization: `Bearer ${TOKEN}` };
  expect(await refusalAt('/nothing', token)).toContain('404');
  expect(await refusalAt('/v1/sessions', token)).toContain('400');

  const client = await openRawClient(`http://127.0.0.1:${port}`);
  client.send({ type: 'ping' });
  expect(await client.next('pong')).toEqual({ type: 'pong' });
  client.drop();

  const limited = await serve(wholeApi({ token: TOKEN, requestsPerMinute: 1 }));
  (await openRawClient(`http://127.0.0.1:${limited}`)).drop();
  await expect(openRawClient(`http://127.0.0.1:${limited}`)).rejects.toThrow('429');
  const [plain] = await Promise.all([fetch(`http://127.0.0.1:${port}${RELAY_PATH}`)]);
  expect([plain.status, plain.headers.get('upgrade')]).toEqual([426, 'websocket']);
});

test('a request with two hosts is refused with 400 before anything is done for one of them, also for a socket', async () => {
  const port = await serve(wholeApi(undefined, ['127.0.0.1', 'localhost']));
  const own = `127.0.0.1:${port}`;
  const upgrade =
    'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n';
  const statusOf = async (target: string, head: string): Promise<number> => {
    const socket = connect(port, '127.0.0.1');
    socket.write(`GET ${target} HTTP/1.1\r\n${head}\r\n`);
    const [line] = (await once(socket, 'data')) as [Buffer];
    socket.destroy();
    return Number(/^HTTP\/1\.1 (\d+)/.exec(line.toString())?.[1]);
  };
  for (const target of ['/health', '/v1/sessions', '/v1/relay', '/docs', '/nothing']) {
    for (const head of [
      `Host: ${own}\r\nHost: attacker.test\r\n`,
      `Host: attacker.test\r\nHost: ${own}\r\n`,
      `Host: ${own}\r\nhost: ${own}\r\n`,
      `Host: ${own}\r\nHost:\r\n`,
    ])
      for (const more of ['', upgrade])
        expect([target, head, await statusOf(target, head + more)]).toEqual([target, head, 400]);
    expect([target, await statusOf(`http://${own}${target}`, `Host: attacker.test\r\n`)]).toEqual([target, 400]);
    expect([target, await statusOf(`http://attacker.test${target}`, `Host: ${own}\r\n`)]).toEqual([target, 400]);
  }
  expect(await statusOf(`http://${own}/v1/sessions`, `Host: ${own}\r\n`)).toBe(200);
  expect(await statusOf('/v1/relay', `Host: ${own}\r\n${upgrade}`)).toBe(101);
});

test('whether the database answers is said to everybody, and why it does not to callers with the token alone', async () => {
  const health = { store: () => Promise.reject(new Error('refused by 10.0.0.5')), temporal: () => Promise.resolve() };
  const app = createApi({ ...api.parts, health, callers: { token: TOKEN } });
  const ask = async (headers: Record<string, string>) => await (await app.request('/health', { headers })).text();
  const toStrangers = await ask({ authorization: 'Bearer a-guess' });
  expect(toStrangers).toContain('"store":{"state":"down"}');
  expect(toStrangers).not.toContain('10.0.0.5');
  expect(await ask({ authorization: `Bearer ${TOKEN}` })).toContain('10.0.0.5');
});
