import { createApi } from '../../api/app';
import type { Sessions } from '../../service/port/port';
import { toStreamEvent } from '../../contracts/events/formats/stream';
import type { LogRecord } from '../../contracts/events/log';
import { StandardErrorSchema } from '../../contracts/errors/standard-error';
import { SessionStatus } from '../../contracts/sessions/session';
import { eventually } from '../support/eventually';
import { aSession, bodyOf, endSession, startTestApi, thought, thoughts, type TestApi } from './fixture';
import { readStream, seqsOf } from './stream-reader';

const toEvent = (record: LogRecord) => ({ ...toStreamEvent(record), seq: record.seq });

let api: TestApi;

beforeAll(async () => {
  api = await startTestApi({ streams: { heartbeatMs: 50, retryMs: 50 } });
});
afterAll(() => api.stop());

const SSE = { accept: 'text/event-stream' };

const open = (
  sessionId: string,
  { query = '', headers = {} }: { query?: string; headers?: Record<string, string> } = {},
) => api.app.request(`/v1/sessions/${sessionId}/events${query}`, { headers: { ...SSE, ...headers } });

const count = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

test('the stream sends everything from the start, goes on live and ends with the end frame', async () => {
  const sessionId = await aSession(api.store);
  await api.store.log.append(sessionId, thoughts(1, 3));
  const response = await open(sessionId);
  expect(response.status).toBe(200);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache, no-transform',
    'x-accel-buffering': 'no',
  });
  const stream = readStream(response);
  const past = await stream.take(3);
  expect(stream.retry).toBe(2000);
  await api.store.log.append(sessionId, [thought(4)]);
  const live = await stream.next();
  await endSession(api.store, sessionId, SessionStatus.CANCELLED);
  const rest = await stream.rest();

  const log = await api.store.log.read(sessionId, 0, 10);
  const frames = [...past, live!, ...rest.slice(0, 1)];
  expect(frames.map(({ id, event, data }) => ({ id, event, data }))).toEqual(
    log.map((record) => ({
      id: String(record.seq),
      event: undefined,
      data: JSON.stringify(toEvent(record)),
    })),
  );
  expect(rest[1]).toMatchObject({ event: 'end', data: JSON.stringify({ seq: 5, status: 'CANCELLED' }) });
  expect(rest[1]?.id).toBeUndefined();
  expect(rest).toHaveLength(2);
});

test('a reader that disconnects 100 times and reconnects with Last-Event-ID gets the log exactly', async () => {
  const sessionId = await aSession(api.store);
  const total = 1500;
  const writing = (async () => {
    for (let number = 1; number <= total; number += 5)
      await api.store.log.append(sessionId, thoughts(number, number + 4));
    await endSession(api.store, sessionId);
  })();
  const joined: { id: string | undefined; data: string }[] = [];
  let isEnded = false;
  for (let reconnects = 0; reconnects < 100; reconnects += 1) {
    const lastId = joined.at(-1)?.id;
    const stream = readStream(
      await open(sessionId, lastId === undefined ? {} : { headers: { 'last-event-id': lastId } }),
    );
    for (const { id, data } of await stream.take(1 + (reconnects % 12))) joined.push({ id, data });
    await stream.disconnect();
  }
  const stream = readStream(await open(sessionId, { headers: { 'last-event-id': joined.at(-1)!.id! } }));
  for (const { id, data, event } of await stream.rest()) {
    if (event === 'end') isEnded = true;
    else joined.push({ id, data });
  }
  await writing;
  expect(isEnded).toBe(true);
  const log = [...(await api.store.log.read(sessionId, 0, 1000)), ...(await api.store.log.read(sessionId, 1000, 1000))];
  expect(log).toHaveLength(total + 1);
  expect(joined).toEqual(log.map((record) => ({ id: String(record.seq), data: JSON.stringify(toEvent(record)) })));
});

test('sixty viewers that join at different moments each get every event once and in order', async () => {
  const sessionId = await aSession(api.store);
  const viewers: Promise<number[]>[] = [];
  for (let number = 1; number <= 600; number += 10) {
    const after = number % 3 === 0 ? number - 1 : 0;
    const stream = readStream(await open(sessionId, { query: `?after=${after}` }));
    viewers.push(stream.rest().then((frames) => [after, ...seqsOf(frames)]));
    await api.store.log.append(sessionId, thoughts(number, number + 9));
  }
  await endSession(api.store, sessionId);
  for (const [after = 0, ...seqs] of await Promise.all(viewers)) expect(seqs).toEqual(count(after + 1, 601));
});

test('a viewer that reads slowly gets everything, at its own pace', async () => {
  const sessionId = await aSession(api.store);
  const slow = readStream(await open(sessionId));
  for (let number = 1; number <= 2000; number += 100) {
    await api.store.log.append(sessionId, thoughts(number, number + 99));
    await slow.next();
  }
  await endSession(api.store, sessionId);
  expect(seqsOf(await slow.rest())).toEqual(count(21, 2001));
});

test('[S1.38] a viewer that stops reading is cut off with ES002, and resumes from its cursor', async () => {
  const sessionId = await aSession(api.store);
  let following: AbortSignal | undefined;
  const sessions: Sessions = {
    ...api.parts.sessions,
    follow: (id, after, signal) => api.parts.sessions.follow(id, after, (following = signal)),
  };
  const app = createApi({ ...api.parts, sessions, streams: { stallMs: 100 } });
  const idle = readStream(await app.request(`/v1/sessions/${sessionId}/events`, { headers: SSE }));
  await api.store.log.append(sessionId, [thought(1)]);
  expect((await idle.next())?.id).toBe('1');
  await api.store.log.append(sessionId, thoughts(2, 100));
  await eventually('nobody follows the log any more', () => following?.aborted);
  await endSession(api.store, sessionId);
  const [failure, ...others] = await idle.rest();
  expect(others).toEqual([]);
  expect([failure?.event, failure?.id]).toEqual(['stream-error', undefined]);
  expect(StandardErrorSchema.parse(JSON.parse(failure!.data))).toMatchObject({
    code: 'ES002',
    category: 'INTEGRATION',
    severity: 'LOW',
    recoverable: true,
    retryable: true,
    sessionId,
    suggestedAction: expect.stringContaining('last event id'),
  });
  const back = readStream(await open(sessionId, { headers: { 'last-event-id': '1' } }));
  expect(seqsOf(await back.rest())).toEqual(count(2, 101));
});

test('a viewer that disconnects is forgotten, and the log is followed for viewers only', async () => {
  const sessionId = await aSession(api.store);
  const follows: AbortSignal[] = [];
  const sessions: Sessions = {
    ...api.parts.sessions,
    follow: (id, after, signal) => api.parts.sessions.follow(id, after, (follows.push(signal), signal)),
  };
  const app = createApi({ ...api.parts, sessions });
  const path = `/v1/sessions/${sessionId}/events`;
  await app.request(path, { method: 'HEAD', headers: SSE });
  expect(follows).toEqual([]);
  await api.store.log.append(sessionId, [thought(1)]);
  const viewers = await Promise.all([1, 2, 3].map(async () => readStream(await app.request(path, { headers: SSE }))));
  for (const viewer of viewers) await viewer.next();
  expect(follows.map(({ aborted }) => aborted)).toEqual([false]);
  for (const viewer of viewers) await viewer.disconnect();
  expect(follows.map(({ aborted }) => aborted)).toEqual([true]);
});

test('a client that reconnects after the end gets 204, so that it stops', async () => {
  const sessionId = await aSession(api.store);
  const last = await endSession(api.store, sessionId);
  const response = await open(sessionId, { headers: { 'last-event-id': String(last) } });
  expect([response.status, response.body]).toEqual([204, null]);
  const stream = readStream(await open(sessionId));
  expect((await stream.rest()).map(({ event }) => event)).toEqual([undefined, 'end']);
});

test('the header Last-Event-ID goes before ?after=, an empty one counts for nothing', async () => {
  const sessionId = await aSession(api.store);
  await api.store.log.append(sessionId, thoughts(1, 5));
  await endSession(api.store, sessionId);
  const seqs = async (headers: Record<string, string>) =>
    seqsOf(await readStream(await open(sessionId, { query: '?after=3', headers })).rest());
  expect(await seqs({ 'last-event-id': '1' })).toEqual([2, 3, 4, 5, 6]);
  expect(await seqs({ 'last-event-id': '' })).toEqual([4, 5, 6]);
  expect(await seqs({})).toEqual([4, 5, 6]);
});

test('an idle stream sends heartbeats, so that no proxy closes it', async () => {
  const sessionId = await aSession(api.store);
  const stream = readStream(await open(sessionId));
  const reading = stream.rest();
  await eventually('three heartbeats', () => stream.comments.length >= 3);
  await endSession(api.store, sessionId);
  expect(await reading).toHaveLength(2);
});

test('with actions=s1 an action beyond S1.16 is sent as text, the five of S1.16 as they are', async () => {
  const sessionId = await aSession(api.store);
  const command = (action: string, parameters: object) => ({
    ...thought(0),
    eventId: action,
    type: 'COMMAND_STARTED' as never,
    data: { command: { commandId: action, action: action as never, parameters, status: 'EXECUTING' as never } },
  });
  await api.store.log.append(sessionId, [command('GET_DOM', {}), command('PRESS_KEY', { key: 'Enter' })]);
  await endSession(api.store, sessionId);
  const read = async (query: string) =>
    (await readStream(await open(sessionId, { query })).take(2)).map(({ data }) => JSON.parse(data).data);
  expect(await read('')).toMatchObject([{ command: { action: 'GET_DOM' } }, { command: { action: 'PRESS_KEY' } }]);
  const [contract, further] = await read('?actions=s1');
  expect(contract).toMatchObject({ command: { action: 'GET_DOM' } });
  expect(further).toMatchObject({ message: 'PRESS_KEY EXECUTING', details: { parameters: { key: 'Enter' } } });
  expect(further.command).toBeUndefined();
});

test('streams close without an end frame when the process stops', async () => {
  const sessionId = await aSession(api.store);
  const closing = new AbortController();

  const app = createApi({ ...api.parts, closing: closing.signal });
  const response = await app.request(`/v1/sessions/${sessionId}/events`, { headers: SSE });
  const reading = readStream(response).rest();
  closing.abort();
  expect(await reading).toEqual([]);
});

test('an unknown session has no stream', async () => {
  const response = await open('11111111-2222-4333-8444-555555555555');
  expect(response.status).toBe(404);
  expect((await bodyOf(response)).error.code).toBe('CM001');
});

describe('a reader that is so slow that events were removed before it had them', () => {
  const KEPT = 20;
  const aLongSession = async () => {
    const stream = { bufferSize: 10, maxHistorySize: KEPT, compressionEnabled: false };
    const sessionId = await aSession(api.store, { steps: ['look'], config: { streamConfig: stream } });
    await api.store.log.append(sessionId, thoughts(1, 700));
    return sessionId;
  };
  const cutLog = async (sessionId: string): Promise<number> => {
    const last = await endSession(api.store, sessionId);
    await api.store.retention.trimHistories();
    return last - KEPT + 1;
  };

  test.each(['', '?types=AI_REASONING'])(
    'gets an error as its last event, with the place to read on from, and 410 when it comes back (%s)',
    async (query) => {
      const sessionId = await aLongSession();
      const stream = readStream(await open(sessionId, { query }));
      const [first] = await stream.take(1);
      expect(first?.id).toBe('1');
      const firstSeq = await cutLog(sessionId);
      const rest = await stream.rest();
      const last = rest.at(-1);
      const seqs = seqsOf(rest);
      expect(seqs).toEqual(count(2, seqs.length + 1));
      expect(last).toMatchObject({ event: 'stream-error' });
      const error = StandardErrorSchema.parse(JSON.parse(last!.data));
      expect(error.details).toEqual({ firstSeq, nextAfter: firstSeq - 1 });

      const again = await open(sessionId, { query, headers: { 'last-event-id': String(seqs.at(-1)) } });
      expect(again.status).toBe(410);
      expect((await bodyOf(again)).error.details).toEqual({ firstSeq, nextAfter: firstSeq - 1 });
      const left = readStream(await open(sessionId, { query, headers: { 'last-event-id': String(firstSeq - 1) } }));
      expect((await left.rest()).at(-1)?.event).toBe('end');
    },
  );

  test('gets it too when it waits for new events, and the process that reads them for it was late', async () => {
    const sessionId = await aLongSession();
    let release = (): void => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    const { sessions } = api.parts;
    const late: Sessions = {
      ...sessions,
      async *follow(...args) {
        await held;
        yield* sessions.follow(...args);
      },
    };
    const app = createApi({ ...api.parts, sessions: late });
    const stream = readStream(await app.request(`/v1/sessions/${sessionId}/events?after=699`, { headers: SSE }));
    expect(seqsOf(await stream.take(1))).toEqual([700]);
    await api.store.log.append(sessionId, thoughts(701, 800));
    const firstSeq = await cutLog(sessionId);
    release();
    const rest = await stream.rest();
    expect(rest.map(({ event }) => event)).toEqual(['stream-error']);
    expect(JSON.parse(rest[0]!.data)).toMatchObject({ details: { firstSeq, nextAfter: firstSeq - 1 } });
  });
});
