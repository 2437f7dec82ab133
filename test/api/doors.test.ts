/**
 * Every route that the API serves, from its own table of routes and over a real server: closed without the token and
 * counted against the rate limit, unless its definition opens it.
 */
import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import type { ApiApp } from '../../api/http/context';
import { startWholeApi, type WholeApi } from './whole-api';

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
  'GET /operations',
  'GET /page/*',
  'GET /schedules',
  'GET /schedules/:id',
  'GET /sessions/:id',
  'GET /start',
  'GET /v1/sign-in',
  'GET /waiting',
  'GET /waiting/:id',
  'GET /waiting/:id/:approval',
];
/** Where a page of this API signs in and out. */
const SIGNING_IN = ['DELETE /v1/sign-in', 'POST /v1/sign-in'];
/** What checks a token of its own, or is the question of a browser before a request. Counted as all others are. */
const OTHERWISE_CHECKED = [
  ...SIGNING_IN,
  'GET /v1/relay',
  'OPTIONS /codec/decode',
  'OPTIONS /codec/encode',
  'POST /v1/browser-sessions/register',
  'POST /v1/browser-sessions/rotate',
];

let api: WholeApi;
let sessionToken: string;
beforeAll(async () => {
  api = await startWholeApi();
  const { pairingToken } = await api.store.relay.sessions.pair({ tenant: 'default', lifeMs: 60_000 });
  ({ sessionToken } = (await api.store.relay.sessions.register(pairingToken, 60_000))!);
});
afterAll(async () => {
  agent.destroy();
  await api.stop();
});

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
  const own = { 'content-length': '0', ...headers };
  const sent = request({ host: '127.0.0.1', port, method, path, agent, headers: own });
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
  const app = api.create({ token: TOKEN });
  const port = await api.serve(app);
  const opened: string[] = [];
  for (const route of routesOf(app)) {
    const [method = '', path = ''] = route.split(' ');
    const statuses = new Set<number>();
    for (const [, headers] of WITHOUT_TOKEN()) statuses.add(await send(port, { method, path: pathOf(path), headers }));
    if ([...statuses].join() !== '401') opened.push(route);
  }
  expect(opened).toEqual([...OPEN, ...OTHERWISE_CHECKED].sort());
});

test('no spelling of a closed route, no method and no path without a route gets past the token', async () => {
  const app = api.create({ token: TOKEN });
  const port = await api.serve(app);
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
    for (const other of ['HEAD', 'OPTIONS', 'DELETE', 'PATCH', 'PUT', 'TRACE'])
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
  const app = api.create({ token: TOKEN });
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
  const port = await api.serve(api.create({ token: TOKEN }));
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
  const app = api.create({ token: TOKEN, requestsPerMinute: 1 });
  const uncounted: string[] = [];
  for (const route of [...routesOf(app), 'GET /v1/nothing', 'GET /nothing']) {
    const [method = '', path = ''] = route.split(' ');
    const from = { incoming: { socket: { remoteAddress: route }, rawHeaders: [], url: '/' } as never };
    const sent = path === '/v1/sign-in' ? JSON.stringify({ key: 'a-guess' }) : BODY;
    const body = method === 'POST' || method === 'PUT' ? { body: sent } : {};
    const ask = () =>
      app.request(pathOf(path), { method, headers: { 'content-type': 'application/json' }, ...body }, from);
    await ask();
    if ((await ask()).status !== 429) uncounted.push(route);
  }
  expect(uncounted).toEqual(OPEN);
});

test('a page of another origin changes nothing by any route that does not check its caller itself', async () => {
  const app = api.create({ token: TOKEN });
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
  const checked = OTHERWISE_CHECKED.filter((route) => !route.startsWith('GET') && !SIGNING_IN.includes(route));
  expect(taken).toEqual(checked);
});

test('everybody learns whether the database answers, and callers with the token why it does not', async () => {
  const health = { store: () => Promise.reject(new Error('refused by 10.0.0.5')), temporal: () => Promise.resolve() };
  const app = api.create({ token: TOKEN }, { health });
  const ask = async (headers: Record<string, string>) => await (await app.request('/health', { headers })).text();
  const toStrangers = await ask({ authorization: 'Bearer a-guess' });
  expect(toStrangers).toContain('"store":{"state":"down"}');
  expect(toStrangers).not.toContain('10.0.0.5');
  expect(await ask({ authorization: `Bearer ${TOKEN}` })).toContain('10.0.0.5');
});
