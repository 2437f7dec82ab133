/** What a reader and a session may ask of the stream: filters, replay, buffer, compression (S1.26). */
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { createApi } from '../../api/app';
import { COMPRESS_ABOVE, gzipped } from '../../api/streams/gzip';
import { createFeeds } from '../../api/streams/feeds';
import type { Sessions } from '../../service/port/port';
import { StreamEventType } from '../../contracts/events/stream-event';
import { aRecord } from '../support/builders';
import { eventually } from '../support/eventually';
import { aSession, bodyOf, endSession, silent, startTestApi, thought, thoughts, type TestApi } from './fixture';
import { readStream, seqsOf } from './stream-reader';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({ streams: { heartbeatMs: 50, retryMs: 50 } });
});
afterAll(() => api.stop());

const SSE = { accept: 'text/event-stream' };
const open = (sessionId: string, query = '', headers: Record<string, string> = {}) =>
  api.app.request(`/v1/sessions/${sessionId}/events${query}`, { headers: { ...SSE, ...headers } });

/** Step 0: a warning, a thought, another warning. Step 1: a thought. */
async function twoSteps(): Promise<string> {
  const sessionId = await aSession(api.store);
  const warning = (id: string, stepIndex: number) => aRecord(id, { stepIndex });
  await api.store.log.append(sessionId, [
    warning('w1', 0),
    { ...thought(1), stepIndex: 0 },
    warning('w2', 0),
    { ...thought(2), stepIndex: 1 },
  ]);
  return sessionId;
}

test('[S1.30] a page has only the events of the types, step and time asked for; its cursor moves on', async () => {
  const sessionId = await twoSteps();
  const read = async (query: string) => {
    const { data, nextAfter, hasMore, isEnded } = await bodyOf(
      api.app.request(`/v1/sessions/${sessionId}/events?${query}`),
    );
    return [data.map(({ seq }: { seq: number }) => seq), nextAfter, hasMore, isEnded];
  };
  expect(await read('types=AI_REASONING')).toEqual([[2, 4], 4, false, false]);
  expect(await read('types=AI_REASONING,WARNING_ISSUED&step=0')).toEqual([[1, 2, 3], 4, false, false]);
  expect(await read('types=WARNING_ISSUED&limit=1')).toEqual([[1], 1, true, false]);
  expect(await read('types=WARNING_ISSUED&limit=1&after=1')).toEqual([[3], 4, false, false]);
  expect(await read('step=7')).toEqual([[], 4, false, false]);
  const [, second] = await api.store.log.read(sessionId, 0, 10);
  expect(await read(`since=${second!.at}&types=AI_REASONING`)).toEqual([[2, 4], 4, false, false]);
  expect(await read('until=2001-01-01T00:00:00Z')).toEqual([[], 4, false, false]);
  await endSession(api.store, sessionId);
  expect(await read('types=AI_REASONING&after=4')).toEqual([[], 5, false, true]);
});

test.each([
  ['types=NO_SUCH_TYPE', 'types[0]'],
  ['step=-1', 'step'],
  ['since=yesterday', 'since'],
])('?%s is refused with the path', async (query, path) => {
  const response = await api.app.request(`/v1/sessions/${await aSession(api.store)}/events?${query}`);
  expect([response.status, (await bodyOf(response)).error.details.issues[0].path]).toEqual([400, path]);
});

test('[S1.30] a filtered stream sends the events that pass, moves its cursor over others, and ends', async () => {
  const sessionId = await twoSteps();
  const stream = readStream(await open(sessionId, '?types=AI_REASONING'));
  expect(seqsOf(await stream.take(2))).toEqual([2, 4]);
  await api.store.log.append(sessionId, [aRecord('w3'), thought(3), aRecord('w4')]);
  expect(seqsOf(await stream.take(1))).toEqual([6]);
  const last = await endSession(api.store, sessionId);
  const [end, ...others] = await stream.rest();
  expect([end?.event, JSON.parse(end!.data).seq, others]).toEqual(['end', last, []]);
  // What was passed over last has named the cursor, as in a browser's EventSource.
  const bytes = await (await open(sessionId, '?types=AI_REASONING')).text();
  expect(bytes.match(/^id: \d+$/gm)?.at(-1)).toBe(`id: ${last}`);
});

test('[S1.26] a stream can be read on from any seq, whether the buffer still has it or only the store', async () => {
  const sessionId = await aSession(api.store, {
    steps: ['open http://127.0.0.1/'],
    config: { streamConfig: { bufferSize: 3 } },
  });
  await api.store.log.append(sessionId, thoughts(1, 5));
  const watching = readStream(await open(sessionId));
  await watching.take(5);
  await api.store.log.append(sessionId, thoughts(6, 20));
  expect(seqsOf(await watching.take(15))).toHaveLength(15);
  await endSession(api.store, sessionId);
  for (let after = 0; after < 21; after += 1) {
    const seqs = seqsOf(await readStream(await open(sessionId, `?after=${after}`)).rest());
    expect(seqs).toEqual(Array.from({ length: 21 - after }, (_, index) => after + 1 + index));
  }
  await watching.disconnect();
});

test('[S1.26] the buffer of a session keeps the newest bufferSize events, and no more', async () => {
  const sessionId = await aSession(api.store);
  const state = await api.parts.sessions.state(sessionId);
  const feeds = createFeeds(api.parts.sessions, 50, silent);
  const { feed, leave } = feeds.join({ ...state, stream: { ...state.stream, bufferSize: 3 } });
  const selection = { format: 'stream', actions: 'all', filter: {} } as const;
  await feed.open(selection);
  await api.store.log.append(sessionId, thoughts(1, 8));
  await eventually('the feed is at the tip', () => feed.tip === 8);
  expect(feed.framesAfter(4, selection)).toBeUndefined();
  expect(feed.framesAfter(5, selection)).toMatchObject({ last: 8, lastSent: 8 });
  leave();
  expect(feeds.size).toBe(0);
});

test('[S1.26] what is above 1 KB is compressed for a client that takes gzip, pages and streams alike', async () => {
  const sessionId = await aSession(api.store);
  await api.store.log.append(sessionId, [thought(1)]);
  const page = (encoding: string) =>
    api.app.request(`/v1/sessions/${sessionId}/events`, { headers: { 'accept-encoding': encoding } });
  expect((await page('gzip')).headers.get('content-encoding')).toBeNull();
  await api.store.log.append(sessionId, thoughts(2, 40));
  await endSession(api.store, sessionId);
  const plain = Buffer.from(await (await page('identity')).arrayBuffer());
  expect(plain.length).toBeGreaterThan(COMPRESS_ABOVE);
  const packed = await page('deflate, gzip');
  expect([packed.headers.get('content-encoding'), packed.headers.get('vary')]).toEqual([
    'gzip',
    'Accept, Accept-Encoding',
  ]);
  const bytes = Buffer.from(await packed.arrayBuffer());
  expect(bytes.length).toBeLessThan(plain.length / 2);
  expect(JSON.parse(gunzipSync(bytes).toString()).data).toEqual(JSON.parse(plain.toString()).data);
  expect((await page('gzip;q=0')).headers.get('content-encoding')).toBeNull();

  const whole = await (await open(sessionId)).text();
  const stream = await open(sessionId, '', { 'accept-encoding': 'gzip' });
  expect(stream.headers.get('content-encoding')).toBe('gzip');
  const sent = Buffer.from(await stream.arrayBuffer());
  expect(gunzipSync(sent).toString()).toBe(whole);
  expect(sent.length).toBeLessThan(whole.length / 2);
});

test('[S1.26] with compressionEnabled false nothing is compressed, whatever the client takes', async () => {
  const sessionId = await aSession(api.store, {
    steps: ['open http://127.0.0.1/'],
    config: { streamConfig: { compressionEnabled: false } },
  });
  await api.store.log.append(sessionId, thoughts(1, 40));
  await endSession(api.store, sessionId);
  for (const accept of ['text/event-stream', 'application/json']) {
    const headers = { accept, 'accept-encoding': 'gzip' };
    const answer = await api.app.request(`/v1/sessions/${sessionId}/events`, { headers });
    expect(answer.headers.get('content-encoding')).toBeNull();
    expect(await answer.text()).toContain('number 40');
  }
});

test('a compressed stream decodes to its chunks, however they are cut, each when it arrives', async () => {
  const chunks = fc.array(fc.oneof(fc.string({ maxLength: 40 }), fc.string({ minLength: 1025, maxLength: 3000 })), {
    minLength: 1,
  });
  await fc.assert(
    fc.asyncProperty(chunks, async (texts) => {
      async function* source() {
        for (const text of texts) yield Buffer.from(text);
      }
      const sent: Buffer[] = [];
      for await (const chunk of gzipped(source())) sent.push(chunk);
      expect(gunzipSync(Buffer.concat(sent)).toString()).toBe(Buffer.from(texts.join('')).toString());
    }),
    { numRuns: 50 },
  );
});

test('[S1.38] a stream above the limit is refused with ES001, and accepted when another has ended', async () => {
  const sessionId = await aSession(api.store);
  const app = createApi({ ...api.parts, streams: { heartbeatMs: 50, maxViewers: 1 } });
  const request = () => app.request(`/v1/sessions/${sessionId}/events`, { headers: SSE });
  const first = readStream(await request());
  const reading = first.next();
  await api.store.log.append(sessionId, [thought(1)]);
  await reading;
  const refused = await request();
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
  expect((await bodyOf(refused)).error).toMatchObject({ code: 'ES001', retryable: true });
  await first.disconnect();
  expect((await request()).status).toBe(200);
});

test('pages that wait for an event count as viewers, and are refused above the limit', async () => {
  const sessionId = await aSession(api.store);
  const { sessions } = api.parts;
  let isHeld = false;
  const follow: Sessions['follow'] = (...given) => {
    isHeld = true;
    return sessions.follow(...given);
  };
  const app = createApi({ ...api.parts, sessions: { ...sessions, follow }, streams: { maxViewers: 1 } });
  const ask = (wait: number) => app.request(`/v1/sessions/${sessionId}/events?wait=${wait}`);
  const held = ask(20);
  await eventually('the first page is held', () => isHeld);
  expect((await bodyOf(ask(20))).error).toMatchObject({ code: 'ES001', retryable: true });
  expect((await ask(0)).status).toBe(200);
  await api.store.log.append(sessionId, [thought(1)]);
  expect((await held).status).toBe(200);
  expect((await ask(0.05)).status).toBe(200);
});

test('a long poll with a filter waits for an event that passes', async () => {
  const sessionId = await aSession(api.store);
  const sessions: Sessions = api.parts.sessions;
  const waiting = bodyOf(
    api.app.request(`/v1/sessions/${sessionId}/events?wait=20&types=${StreamEventType.AI_REASONING}`),
  );
  await api.store.log.append(sessionId, [aRecord('w1')]);
  await eventually('the warning is in the log', async () => (await sessions.state(sessionId)).lastSeq === 1);
  await api.store.log.append(sessionId, [thought(1)]);
  expect(await waiting).toMatchObject({ data: [{ seq: 2 }], nextAfter: 2 });
});
