import postgres from 'postgres';
import { createApi } from '../../api/app';
import { createBrowserSessions } from '../../service/browser-sessions';
import { eventually } from '../support/eventually';
import { bodyOf, post, startTestApi, type TestApi } from './fixture';

const TOKEN = 'a-token-of-enough-characters';
const DAYS_30_MS = 30 * 86_400_000;

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.stop());

type App = TestApi['app'];
const PATH = '/v1/browser-sessions';

async function ask(path: string, init?: RequestInit, app: App = api.app) {
  const response = await app.request(`${PATH}${path}`, init);
  return { status: response.status, headers: response.headers, ...(await bodyOf(response)) };
}

async function paired(body: object = {}): Promise<string> {
  const { status, data } = await ask('/pair', post(body));
  expect(status).toBe(201);
  return data.pairing_token;
}

const register = (token: string, app?: App) => ask('/register', post({ pairing_token: token }), app);
const rotate = (token: string) => ask('/rotate', post(undefined, { authorization: `Bearer ${token}` }));
const listed = async (query = '') =>
  (await ask(query)).data.map((one: { browser_session_id: string }) => one.browser_session_id);

test('a pairing token is shown once with its expiry, and registers a browser with label and tenant', async () => {
  const answer = await ask('/pair', post({ label: 'laptop', external_user_id: 'u-1', tenant: 'acme' }));
  expect(answer).toMatchObject({ status: 201, data: { expires_in_seconds: 300 } });
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(answer.data.pairing_token).toMatch(/^surefoot_pair_[\w-]{43}$/);
  const { status, data } = await register(answer.data.pairing_token);
  expect(status).toBe(201);
  expect(data).toMatchObject({ tenant: 'acme', relay_path: '/v1/relay' });
  expect(data.session_token).toMatch(/^surefoot_sess_[\w-]{43}$/);
  expect(Math.round((Date.parse(data.expires_at) - Date.now()) / 60_000)).toBe(DAYS_30_MS / 60_000);
  const { data: all } = await ask('?tenant=acme');
  const known = { browser_session_id: data.browser_session_id, label: 'laptop', external_user_id: 'u-1' };
  expect(all).toEqual([expect.objectContaining({ ...known, is_connected: false, client: null })]);
  expect(JSON.stringify(all)).not.toContain('surefoot_');
});

test('a pairing token works once, also for two concurrent requests, and an unknown one is refused', async () => {
  const token = await paired();
  const answers = await Promise.all([register(token), register(token), register(token)]);
  expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([201, 401, 401]);
  expect(await register(token)).toMatchObject({ status: 401, error: { code: 'FA002', retryable: false } });
  expect((await register('surefoot_pair_made-up')).status).toBe(401);
});

test('an expired pairing token is refused', async () => {
  const lives = { pairingMs: 1, sessionMs: DAYS_30_MS };
  const short = createApi({ ...api.parts, browserSessions: createBrowserSessions({ store: api.store, lives }) });
  const { data } = await ask('/pair', post({}), short);
  await eventually('the database is past it', async () => Date.now() > Date.parse(data.expires_at) + 50);
  expect((await register(data.pairing_token, short)).status).toBe(401);
});

test('a session token is exchanged for another one and ends by that', async () => {
  const { data: first } = await register(await paired());
  const { status, data: second } = await rotate(first.session_token);
  expect([status, second.browser_session_id]).toEqual([201, first.browser_session_id]);
  expect((await rotate(first.session_token)).status).toBe(401);
  expect((await rotate(second.session_token)).status).toBe(201);
  expect((await ask('/rotate', post())).status).toBe(401);
});

test('a revoked browser session is not listed, its token is invalid, and revoking it again is 404', async () => {
  const { data } = await register(await paired());
  const path = `/${data.browser_session_id}`;
  expect(await ask(path, { method: 'DELETE' })).toMatchObject({ status: 200, data: { revoked: true } });
  expect(await listed()).not.toContain(data.browser_session_id);
  expect((await rotate(data.session_token)).status).toBe(401);
  expect(await ask(path, { method: 'DELETE' })).toMatchObject({ status: 404, error: { code: 'CM001' } });
});

test('a browser session of another tenant is neither listed nor there to be revoked', async () => {
  const { data } = await register(await paired({ tenant: 'north' }));
  const id = data.browser_session_id;
  expect([await listed('?tenant=north'), await listed('?tenant=south')]).toEqual([[id], []]);
  expect((await ask(`/${id}?tenant=south`, { method: 'DELETE' })).status).toBe(404);
  expect((await ask(`/${id}?tenant=north`, { method: 'DELETE' })).status).toBe(200);
});

const begin = async (browserSessionId: string, more: object = {}, headers = {}) => {
  const config = { agent: { executor: 'relay', browserSessionId } };
  const response = await api.app.request('/v1/sessions', post({ steps: [{ task: 'Look' }], config, ...more }, headers));
  return { status: response.status, ...(await bodyOf(response)) };
};
const sessionCount = async () => (await bodyOf(api.app.request('/v1/sessions'))).pagination.total as number;

test('a session over the relay is refused at once where its browser is missing or another tenant’s', async () => {
  const { data } = await register(await paired({ tenant: 'north' }));
  const id = data.browser_session_id;
  const before = await sessionCount();
  for (const [browser, more] of [
    ['nobody', {}],
    [id, {}],
    [id, { tenant: 'south' }],
  ] as const) {
    const message = `There is no browser session ${browser}. Pair the browser (POST /v1/browser-sessions/pair`;
    const error = { code: 'CM001', message: expect.stringContaining(message) };
    expect(await begin(browser, more)).toMatchObject({ status: 404, error });
  }
  expect(await sessionCount()).toBe(before);
  expect((await begin(id, { tenant: 'north' })).status).toBe(202);
});

test('a session over the relay is refused where its browser was revoked or expired, but not repeated', async () => {
  const { data } = await register(await paired());
  const id = data.browser_session_id;
  // It is not connected, and may come.
  const started = await begin(id, {}, { 'idempotency-key': 'relay-1' });
  expect(started.status).toBe(202);
  expect((await ask(`/${id}`, { method: 'DELETE' })).status).toBe(200);
  const revoked = { status: 409, error: { message: expect.stringContaining('was revoked. Pair the browser') } };
  expect(await begin(id)).toMatchObject(revoked);
  const again = await begin(id, {}, { 'idempotency-key': 'relay-1' });
  expect([again.status, again.data.sessionId, again.data.isNew]).toEqual([202, started.data.sessionId, false]);
  const steps = await api.app.request(
    `/v1/sessions/${started.data.sessionId}/steps`,
    post({ steps: [{ task: 'And again' }] }),
  );
  expect([steps.status, (await bodyOf(steps)).error.details.state]).toEqual([409, 'revoked']);

  const old = createApi({
    ...api.parts,
    browserSessions: createBrowserSessions({ store: api.store, lives: { pairingMs: 300_000, sessionMs: 1 } }),
  });
  const late = (await register(await paired(), old)).data.browser_session_id;
  const expired = { status: 409, error: { message: expect.stringContaining('has expired. Pair the browser') } };
  await eventually('it has expired', async () => (await api.store.relay.sessions.get(late))?.isExpired === true);
  expect(await begin(late)).toMatchObject(expired);
});

test('a registration can not set the tenant of the browser', async () => {
  const token = await paired({ tenant: 'north' });
  const { status, error } = await ask('/register', post({ pairing_token: token, tenant: 'south' }));
  expect([status, error.message]).toEqual([400, expect.stringContaining('unknown field tenant')]);
  // It was not spent by that.
  expect((await register(token)).data.tenant).toBe('north');
});

test('no token is stored in the database', async () => {
  const pairing = await paired();
  const { data } = await register(await paired());
  const sql = postgres(api.stack.databaseUrl, { max: 1 });
  const [row] = await sql`
    select (select string_agg(p::text, ' ') from relay_pairings p) || (select string_agg(b::text, ' ') from browser_sessions b) as all`;
  await sql.end();
  for (const token of [pairing, data.session_token]) expect(row!['all']).not.toContain(token);
});

test('a browser registers without the API’s token, from a page of its own; all else asks for it', async () => {
  const app = createApi({ ...api.parts, callers: { token: TOKEN } });
  const mine = { authorization: `Bearer ${TOKEN}` };
  for (const [path, init] of [
    ['/pair', post({})],
    ['', {}],
    ['/x', { method: 'DELETE' }],
  ] as const)
    expect([path, (await ask(path, init, app)).status]).toEqual([path, 401]);
  const { data } = await ask('/pair', post({}, mine), app);
  const extension = { origin: 'chrome-extension://abcdefghijklmnop' };
  const body = { pairing_token: data.pairing_token };
  expect((await ask('/register', post(body, extension), app)).status).toBe(201);
  expect((await ask('/pair', post({}, { ...mine, ...extension }), app)).status).toBe(403);
});

test('an invalid request is answered with what is wrong with it', async () => {
  expect((await ask('/pair', post('{'))).status).toBe(400);
  expect((await ask('/pair', { method: 'POST', body: '{}' })).status).toBe(415);
  const { status, error } = await ask('/pair', post({ tenant: 'no spaces', label: '' }));
  expect([status, error.details.issues]).toEqual([
    400,
    [expect.objectContaining({ path: 'label' }), expect.objectContaining({ path: 'tenant' })],
  ]);
  expect((await ask('?tenant=a%20b')).status).toBe(400);
});

test('its addresses are documented with all their answers', async () => {
  const document = (await (await api.app.request('/openapi.json')).json()) as { paths: Record<string, object> };
  const paths = Object.keys(document.paths).filter((path) => path.startsWith(PATH));
  expect(paths.sort()).toEqual([PATH, `${PATH}/pair`, `${PATH}/register`, `${PATH}/rotate`, `${PATH}/{id}`]);
  expect(document.paths[`${PATH}/register`]).toMatchObject({ post: { responses: { 201: {}, 400: {}, 401: {} } } });
});

test('under one Idempotency-Key pairing, registration and rotation give one token; another request is 422', async () => {
  const keyed = async (path: string, body: object | undefined, headers: Record<string, string> = {}) => {
    const answer = await ask(path, post(body, { 'idempotency-key': 'k', ...headers }));
    return { status: answer.status, replayed: answer.headers.get('idempotency-replayed'), data: answer.data };
  };
  const pair = { tenant: 'keyed', label: 'laptop' };
  const first = await keyed('/pair', pair);
  expect([first.status, first.replayed]).toEqual([201, null]);
  expect(await keyed('/pair', pair)).toEqual({ ...first, replayed: 'true' });
  expect((await keyed('/pair', { ...pair, label: 'another' })).status).toBe(422);

  const { pairing_token } = first.data;
  const registered = await keyed('/register', { pairing_token });
  expect(await keyed('/register', { pairing_token })).toEqual({ ...registered, replayed: 'true' });
  expect((await register(pairing_token)).status).toBe(401);

  const authorization = `Bearer ${registered.data.session_token}`;
  const rotated = await keyed('/rotate', undefined, { authorization });
  expect(rotated.status).toBe(201);
  expect(await keyed('/rotate', undefined, { authorization })).toEqual({ ...rotated, replayed: 'true' });
  expect(await listed('?tenant=keyed')).toEqual([registered.data.browser_session_id]);
});
