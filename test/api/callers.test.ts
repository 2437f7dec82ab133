import { Hono } from 'hono';
import { createApi } from '../../api/app';
import type { ApiParts } from '../../api/http/context';
import { limitRequests } from '../../api/middleware/rate-limit';
import { encryptionOptions } from '../../runtime/payloads/data-converter';
import { PayloadKeysSchema } from '../../runtime/payloads/payload-keys';
import { eventually } from '../support/eventually';
import { bodyOf, startTestApi, type TestApi } from './fixture';

const TOKEN = 'a-token-of-enough-characters';

let api: TestApi;
beforeAll(async () => (api = await startTestApi()));
afterAll(() => api.stop());

function apiWith(callers: ApiParts['callers']) {
  return createApi({ ...api.parts, callers });
}

test.each([
  ['none', {}],
  ['another one', { authorization: 'Bearer another-token-of-enough' }],
  ['none', { authorization: `Basic ${TOKEN}` }],
])('[S1.38] a caller with %s of the right tokens is refused with FA002 and 401', async (reason, headers) => {
  const response = await apiWith({ token: TOKEN }).request('/v1/sessions', { headers });
  expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
  const { error } = await bodyOf(response);
  expect(error).toMatchObject({ code: 'FA002', retryable: false, message: expect.stringContaining(reason) });
  expect(JSON.stringify(error)).not.toContain(TOKEN);
});

test('a caller with the token is accepted, and health and documentation need no token', async () => {
  const app = apiWith({ token: TOKEN });
  expect((await app.request('/v1/sessions', { headers: { authorization: `Bearer ${TOKEN}` } })).status).toBe(200);
  for (const path of ['/docs', '/openapi.json']) expect((await app.request(path)).status).toBe(200);
  // On a busy machine the first call, which connects, may take longer than it is given.
  await eventually('health answers', async () => (await app.request('/health')).status === 200);
  expect((await apiWith(undefined).request('/v1/sessions')).status).toBe(200);
});

/** The API with the codec endpoint. */
function apiWithCodec(callers: ApiParts['callers']) {
  const [codec] = encryptionOptions(PayloadKeysSchema.parse(`k=${'s'.repeat(32)}`)).dataConverter!.payloadCodecs!;
  return createApi({ ...api.parts, payloadCodec: { codec: codec!, isAllowed: () => false }, callers });
}

test('guesses of the token at the codec endpoint are limited as everywhere', async () => {
  const app = apiWithCodec({ token: TOKEN, requestsPerMinute: 2 });
  const guess = () => app.request('/codec/decode', { method: 'POST', headers: { authorization: 'Bearer guess' } });
  expect([(await guess()).status, (await guess()).status, (await guess()).status]).toEqual([401, 401, 429]);
});

test('the codec endpoint takes a message without payloads, as a query without arguments has', async () => {
  const answer = await apiWithCodec(undefined).request('/codec/encode', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  });
  expect([answer.status, await answer.json()]).toEqual([200, { payloads: [] }]);
});

test('every path of sessions requires the token, also where nothing exists', async () => {
  const app = apiWith({ token: TOKEN });
  for (const path of [
    '/v1/sessions/x',
    '/v1/sessions/x/events',
    '/v1/sessions/x/screenshots/y',
    '/v1/sessions/x/nothing',
    '/v1/approvals',
    '/v1/approvals/x/decision',
  ])
    expect([path, (await app.request(path)).status]).toEqual([path, 401]);
});

test('[S1.38] a request above the limit of a minute is refused with FA003 and 429 until `Retry-After`', async () => {
  const app = apiWith({ requestsPerMinute: 2 });
  const statuses: number[] = [];
  for (let sent = 0; sent < 2; sent += 1) statuses.push((await app.request('/v1/sessions')).status);
  const refused = await app.request('/v1/sessions');
  expect([...statuses, refused.status]).toEqual([200, 200, 429]);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  const { error } = await bodyOf(refused);
  expect(error).toMatchObject({ code: 'FA003', retryable: true, details: { perMinute: 2 } });
});

test('the rate limit refills up to one minute of requests, and an invalid request is not counted', async () => {
  let now = 0;
  const app = new Hono();
  app.use(limitRequests(2, () => now) as never);
  app.onError((_, c) => c.text('', 429));
  app.get('/good', (c) => c.text(''));
  app.get('/bad', (c) => c.text('', 400));
  const send = async (path: string): Promise<number> => (await app.request(path)).status;
  expect([await send('/bad'), await send('/bad'), await send('/bad')]).toEqual([400, 400, 400]);
  expect([await send('/good'), await send('/good'), await send('/good')]).toEqual([200, 200, 429]);
  now += 30_000;
  expect([await send('/good'), await send('/good')]).toEqual([200, 429]);
  now += 60 * 60_000;
  expect([await send('/good'), await send('/good'), await send('/good')]).toEqual([200, 200, 429]);
});
