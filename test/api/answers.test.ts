import { z } from 'zod';
import { createApi } from '../../api/app';
import { eventually } from '../support/eventually';
import { bodyOf, post, startTestApi, type TestApi } from './fixture';

const DocumentSchema = z.looseObject({
  openapi: z.string(),
  paths: z.record(z.string(), z.record(z.string(), z.any())),
  components: z.any(),
});

let api: TestApi;

beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.stop());

const NOBODY = '/v1/sessions/11111111-2222-4333-8444-555555555555';

test.each([
  [NOBODY],
  [`${NOBODY}/events`],
  [`${NOBODY}/health`],
  [`${NOBODY}/screenshots`],
  [`${NOBODY}/screenshots/x`],
  [`${NOBODY}/commands/x`],
  ['/v1/sessions/no-uuid-at-all'],
])('GET %s of an unknown session is 404 with CM001', async (path) => {
  const response = await api.app.request(path);
  expect(response.status).toBe(404);
  expect((await bodyOf(response)).error).toMatchObject({ code: 'CM001', retryable: false });
});

test.each(['pause', 'resume', 'cancel'])('[S1.A19] %s of an unknown session is 404 with CM001', async (path) => {
  const response = await api.app.request(`${NOBODY}/${path}`, post());
  expect(response.status).toBe(404);
  expect((await bodyOf(response)).error.code).toBe('CM001');
});

test('[S1.R29] every answer has the envelope, with the request id of the caller or one of ours', async () => {
  const named = await api.app.request('/v1/sessions', { headers: { 'x-request-id': 'call-17' } });
  expect(named.headers.get('x-request-id')).toBe('call-17');
  const body = await bodyOf(named);
  expect(body.metadata).toMatchObject({ requestId: 'call-17', version: '1.0.0' });
  expect(new Date(body.metadata.timestamp).toISOString()).toBe(body.metadata.timestamp);
  expect(body.metadata.processingTimeMs).toBeGreaterThanOrEqual(0);
  for (const unsuitable of ['', 'a b', '<script>', 'x'.repeat(300)]) {
    const response = await api.app.request(NOBODY, { headers: { 'x-request-id': unsuitable } });
    const { metadata } = await bodyOf(response);
    expect(metadata.requestId).toMatch(/^[0-9a-f-]{36}$/);
    expect(response.headers.get('x-request-id')).toBe(metadata.requestId);
  }
});

test('no page changes anything here, our own does with the token alone, and no other name is served', async () => {
  const send = (origin: string, app = api.app, authorization = '') =>
    app.request(`${NOBODY}/cancel`, { method: 'POST', headers: { origin, authorization } });
  const foreign = await send('https://elsewhere.test');
  expect(foreign.status).toBe(403);
  expect((await bodyOf(foreign)).error).toMatchObject({ code: 'FA001', message: expect.stringContaining('elsewhere') });
  expect((await send('null')).status).toBe(403);
  const own = await send('http://localhost');
  expect(own.status).toBe(403);
  expect((await bodyOf(own)).error.message).toContain('SUREFOOT_API_TOKEN');
  const guarded = createApi({ ...api.parts, callers: { token: 'a-token-of-enough-characters' } });
  const bearer = 'Bearer a-token-of-enough-characters';
  expect((await send('http://localhost', guarded)).status).toBe(401);
  expect((await send('http://localhost', guarded, bearer)).status).toBe(404);
  expect((await send('https://elsewhere.test', guarded, bearer)).status).toBe(403);
  const named = createApi({ ...api.parts, names: ['localhost'] });
  const rebound = await named.request('http://elsewhere.test:3000/v1/sessions');
  expect(rebound.status).toBe(403);
  expect((await bodyOf(rebound)).error.message).toContain('SUREFOOT_API_NAMES');
  expect((await named.request('http://localhost:3000/v1/sessions')).status).toBe(200);
});

test('an unknown address says where the documentation is, a wrong method says which are right', async () => {
  const unknown = await api.app.request('/v2/sessions');
  expect(unknown.status).toBe(404);
  expect((await bodyOf(unknown)).error).toMatchObject({ code: 'FA001', message: expect.stringContaining('/docs') });

  const wrong = await api.app.request('/v1/sessions', { method: 'DELETE' });
  expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST']);
  expect((await bodyOf(wrong)).success).toBe(false);
  const control = await api.app.request(`${NOBODY}/pause`);
  expect([control.status, control.headers.get('allow')]).toEqual([405, 'POST']);
});

test.each([
  ['page=0', 'page'],
  ['pageSize=201', 'pageSize'],
  ['pageSize=many', 'pageSize'],
  ['status=RUNNING', 'status[0]'],
])('GET /v1/sessions?%s is refused with the path', async (query, path) => {
  const response = await api.app.request(`/v1/sessions?${query}`);
  expect(response.status).toBe(400);
  expect((await bodyOf(response)).error).toMatchObject({ code: 'FA001', details: { issues: [{ path }] } });
});

test('the text of an unexpected error is not sent, but its request id is in the log', async () => {
  const lines: unknown[] = [];
  const app = createApi({
    ...api.parts,
    logger: { debug: () => {}, error: (facts: unknown) => lines.push(facts) } as never,
    sessions: { ...api.parts.sessions, list: () => Promise.reject(new Error('secret inner workings')) },
  });
  const response = await app.request('/v1/sessions');
  expect(response.status).toBe(500);
  const text = await response.text();
  const { error, metadata } = JSON.parse(text);
  expect(text).not.toMatch(/secret|at \w+/);
  expect(error.message).toContain(metadata.requestId);
  expect(lines).toMatchObject([{ requestId: metadata.requestId, path: '/v1/sessions' }]);
});

test('health reports both systems, and answers although one of them hangs', async () => {
  // On a busy machine the first call, which connects, may take longer than it is given.
  const well = await eventually('both are up', async () => {
    const response = await api.app.request('/health');
    return response.status === 200 ? response : undefined;
  });
  expect((await bodyOf(well)).data).toEqual({ status: 'ok', store: { state: 'up' }, temporal: { state: 'up' } });

  const hanging = createApi({
    ...api.parts,
    health: { store: () => Promise.reject(new Error('connection refused')), temporal: () => new Promise(() => {}) },
  });
  const ill = await hanging.request('/health');
  expect([ill.status, ill.headers.get('retry-after')]).toEqual([503, '5']);
  expect((await bodyOf(ill)).error).toMatchObject({
    code: 'CM002',
    details: {
      store: { state: 'down', reason: 'connection refused' },
      temporal: { state: 'down', reason: 'no answer within 1500 ms' },
    },
  });
});

test('the examples of the OpenAPI document lead to the shop of this stack, whatever its port', async () => {
  const app = createApi({ ...api.parts, shop: () => 'http://127.0.0.1:4321' });
  const text = await (await app.request('/openapi.json')).text();
  expect(text).toContain('open http://127.0.0.1:4321/');
  expect(text).not.toContain('127.0.0.1:4000');
  expect(await (await api.app.request('/openapi.json')).text()).toContain('open http://127.0.0.1:4000/');
});

test('the OpenAPI document describes every route that is served', async () => {
  const response = await api.app.request('/openapi.json');
  const document = DocumentSchema.parse(await response.json());
  expect(document.openapi).toBe('3.1.0');
  const described = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(described.sort()).toEqual([
    'DELETE /v1/browser-sessions/{id}',
    'DELETE /v1/files/{fileId}',
    'DELETE /v1/profiles/{name}',
    'DELETE /v1/recipes/{recipeId}',
    'DELETE /v1/schedules/{id}',
    'DELETE /v1/sessions/{id}',
    'DELETE /v1/sign-in',
    'GET /health',
    'GET /v1/approvals',
    'GET /v1/approvals/{approvalId}',
    'GET /v1/batches',
    'GET /v1/batches/{id}',
    'GET /v1/batches/{id}/results',
    'GET /v1/batches/{id}/rows',
    'GET /v1/browser-sessions',
    'GET /v1/effects',
    'GET /v1/effects/{effectId}',
    'GET /v1/files/{fileId}',
    'GET /v1/health/modules',
    'GET /v1/operations',
    'GET /v1/profiles',
    'GET /v1/profiles/{name}',
    'GET /v1/profiles/{name}/state',
    'GET /v1/recipes',
    'GET /v1/recipes/export',
    'GET /v1/recipes/{recipeId}',
    'GET /v1/recipes/{recipeId}/versions',
    'GET /v1/schedules',
    'GET /v1/schedules/{id}',
    'GET /v1/sessions',
    'GET /v1/sessions/{id}',
    'GET /v1/sessions/{id}/commands/{commandId}',
    'GET /v1/sessions/{id}/events',
    'GET /v1/sessions/{id}/files',
    'GET /v1/sessions/{id}/files/{fileId}',
    'GET /v1/sessions/{id}/health',
    'GET /v1/sessions/{id}/live',
    'GET /v1/sessions/{id}/loop-result',
    'GET /v1/sessions/{id}/messages',
    'GET /v1/sessions/{id}/messages/{messageId}',
    'GET /v1/sessions/{id}/model-calls',
    'GET /v1/sessions/{id}/report',
    'GET /v1/sessions/{id}/result',
    'GET /v1/sessions/{id}/screenshots',
    'GET /v1/sessions/{id}/screenshots/{screenshotId}',
    'GET /v1/sessions/{id}/screenshots/{screenshotId}/thumbnail',
    'GET /v1/sessions/{id}/takeover',
    'GET /v1/sessions/{id}/variables',
    'GET /v1/sign-in',
    'PATCH /v1/schedules/{id}',
    'POST /v1/approvals/{approvalId}/decision',
    'POST /v1/approvals/{approvalId}/revoke',
    'POST /v1/batches',
    'POST /v1/batches/{id}/cancel',
    'POST /v1/batches/{id}/pause',
    'POST /v1/batches/{id}/resume',
    'POST /v1/batches/{id}/retry',
    'POST /v1/browser-sessions/pair',
    'POST /v1/browser-sessions/register',
    'POST /v1/browser-sessions/rotate',
    'POST /v1/files',
    'POST /v1/recipes/import',
    'POST /v1/schedules',
    'POST /v1/schedules/{id}/backfill',
    'POST /v1/schedules/{id}/pause',
    'POST /v1/schedules/{id}/resume',
    'POST /v1/schedules/{id}/trigger',
    'POST /v1/sessions',
    'POST /v1/sessions/{id}/answer',
    'POST /v1/sessions/{id}/approve',
    'POST /v1/sessions/{id}/calls/{callId}/cancel',
    'POST /v1/sessions/{id}/cancel',
    'POST /v1/sessions/{id}/cancel-turn',
    'POST /v1/sessions/{id}/close',
    'POST /v1/sessions/{id}/fork',
    'POST /v1/sessions/{id}/hand-back',
    'POST /v1/sessions/{id}/pause',
    'POST /v1/sessions/{id}/reject',
    'POST /v1/sessions/{id}/resolve-budget',
    'POST /v1/sessions/{id}/resolve-unknown',
    'POST /v1/sessions/{id}/resume',
    'POST /v1/sessions/{id}/steps',
    'POST /v1/sessions/{id}/takeover',
    'POST /v1/sessions/{id}/takeover/input',
    'POST /v1/sign-in',
    'POST /v1/steps/check',
    'PUT /v1/effects/{effectId}/state',
    'PUT /v1/profiles/{name}/state',
    'PUT /v1/profiles/{name}/version',
    'PUT /v1/recipes/{recipeId}/promoted',
  ]);
  expect(document.components.schemas.StandardError.properties.cause).toEqual({
    $ref: '#/components/schemas/StandardError',
  });
  expect(document.components.schemas.WorkflowSession.properties.createdAt).toEqual({
    type: 'string',
    format: 'date-time',
  });
});

test.each(['cancel-turn', 'calls/call_1/cancel'])('POST %s takes an empty body of type JSON for none', async (path) => {
  expect((await api.app.request(`${NOBODY}/${path}`, post(''))).status).toBe(404);
});

test('the documentation page loads its assets from the API alone', async () => {
  const page = await (await api.app.request('/docs')).text();
  const addresses = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address!);
  expect(addresses).toHaveLength(3);
  for (const address of addresses) {
    expect(address).toMatch(/^\/docs\/assets\//);
    const asset = await api.app.request(address);
    expect(asset.status).toBe(200);
    expect((await asset.arrayBuffer()).byteLength).toBeGreaterThan(500);
  }
  expect(page).not.toMatch(/https?:\/\//);
});
