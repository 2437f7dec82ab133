/** Limits of streams: who keeps a thousand open makes way for others, and comes back to where it was. */
import { createApi } from '../../api/app';
import type { ApiParts } from '../../api/http/context';
import { aSession, bodyOf, startTestApi, thought, thoughts, type TestApi } from './fixture';
import { readStream, seqsOf } from './stream-reader';

let api: TestApi;
beforeAll(async () => (api = await startTestApi()));
afterAll(() => api.stop());

const NEVER_MS = 3_600_000;

/** Opens a stream as a socket from this address does. */
function opener(streams: ApiParts['streams'], sessionId: string) {
  const app = createApi({ ...api.parts, streams });
  return (address: string, { query = '', headers = {} }: { query?: string; headers?: Record<string, string> } = {}) => {
    const from = { incoming: { socket: { remoteAddress: address }, rawHeaders: [], url: '/' } as never };
    const own = { accept: 'text/event-stream', ...headers };
    return app.request(`/v1/sessions/${sessionId}/events${query}`, { headers: own }, from);
  };
}

test('a thousand idle streams of one address keep nobody out: the longest idle one ends, and resumes', async () => {
  const sessionId = await aSession(api.store);
  await api.store.log.append(sessionId, thoughts(1, 2));
  const open = opener({ heartbeatMs: NEVER_MS, maxViewersPerAddress: 1000, idleMs: NEVER_MS }, sessionId);
  const greedy = await Promise.all(Array.from({ length: 1000 }, async () => readStream(await open('10.0.0.1'))));
  const [first] = greedy;
  expect(seqsOf(await first!.take(2))).toEqual([1, 2]);
  for (const stream of greedy.slice(1)) await stream.take(2);
  const ending = first!.rest();
  const other = await open('10.0.0.2');
  expect(other.status).toBe(200);
  // Without an end frame, and with a longer time until it comes back.
  expect(await ending).toEqual([]);
  expect(first!.retry).toBe(15_000);
  const viewer = readStream(other);
  expect(seqsOf(await viewer.take(2))).toEqual([1, 2]);

  await api.store.log.append(sessionId, [thought(3)]);
  expect(seqsOf(await viewer.take(1))).toEqual([3]);
  const back = await open('10.0.0.3', { headers: { 'last-event-id': '2' } });
  expect(seqsOf(await readStream(back).take(1))).toEqual([3]);
  for (const stream of greedy) await stream.disconnect();
}, 60_000);

test('at its address’s limit a stream takes the place of an idle one, or is refused without one', async () => {
  const sessionId = await aSession(api.store);
  await api.store.log.append(sessionId, [thought(1)]);
  const busy = opener({ heartbeatMs: NEVER_MS, maxViewersPerAddress: 2, idleMs: NEVER_MS }, sessionId);
  for (const _ of [1, 2]) expect((await busy('10.0.0.1')).status).toBe(200);
  const refused = await busy('10.0.0.1');
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
  expect((await bodyOf(refused)).error).toMatchObject({ code: 'ES001', message: expect.stringContaining('2 of one') });
  expect((await busy('10.0.0.2')).status).toBe(200);

  const idle = opener({ heartbeatMs: NEVER_MS, maxViewersPerAddress: 2, idleMs: 0 }, sessionId);
  const [oldest, newer] = [readStream(await idle('10.0.0.1')), readStream(await idle('10.0.0.1'))];
  await oldest.take(1);
  await newer.take(1);
  const ending = oldest.rest();
  const third = readStream(await idle('10.0.0.1'));
  expect(await ending).toEqual([]);
  expect(seqsOf(await third.take(1))).toEqual([1]);
});

test('a page that waits makes way too: it is answered at once, without an event', async () => {
  const sessionId = await aSession(api.store);
  const open = opener({ maxViewersPerAddress: 1, idleMs: 0 }, sessionId);
  const json = { accept: 'application/json' };
  const waiting = open('10.0.0.1', { query: '?wait=30', headers: json });
  expect((await open('10.0.0.1')).status).toBe(200);
  const answer = await waiting;
  expect([answer.status, (await bodyOf(answer)).nextAfter]).toEqual([200, 0]);
});
