import { EventPageSchema } from '../../api/openapi/schemas';
import { createApi } from '../../api/app';
import { followAs } from '../../service/events/follow-format';
import type { Sessions } from '../../service/port/port';
import { encodeAll, type EventFormat } from '../../contracts/events/formats/format';
import { FORMATS, FORMAT_NAMES, type FormatName } from '../../contracts/events/formats/formats';
import { isTerminal, type LogRecord, type NewRecord } from '../../contracts/events/log';
import { SessionStatus } from '../../contracts/sessions/session';
import { EVERYTHING, logOf } from '../support/format-logs';
import { aSession, bodyOf, endSession, startTestApi, thoughts, type TestApi } from './fixture';
import { readStream } from './stream-reader';

let api: TestApi;

beforeAll(async () => {
  api = await startTestApi({ streams: { heartbeatMs: 50, retryMs: 50 } });
});
afterAll(() => api.stop());

const { ACTIVE, COMPLETED } = SessionStatus;
const SSE = { accept: 'text/event-stream' };

const open = async (sessionId: string, format: FormatName, after?: number, app = api.app) =>
  await app.request(`/v1/sessions/${sessionId}/events?format=${format}`, {
    headers: { ...SSE, ...(after === undefined ? {} : { 'last-event-id': String(after) }) },
  });

/** The records of the session that holds everything, on their way into another session's log. */
const drafts = (): NewRecord[] => logOf(EVERYTHING).map(({ sessionId: _session, seq: _seq, ...record }) => record);

async function write(sessionId: string, records: readonly NewRecord[]): Promise<void> {
  for (let at = 0; at < records.length; at += 7) {
    const batch = records.slice(at, at + 7);
    const isLast = batch.some(({ type }) => isTerminal(type));
    const patch = isLast ? { status: COMPLETED, closed: true } : at === 0 ? { status: ACTIVE } : {};
    await api.store.log.append(sessionId, batch, { patch });
  }
}

async function logOfSession(sessionId: string): Promise<LogRecord[]> {
  return await api.store.log.read(sessionId, 0, 1000);
}

interface Wire {
  id: string | undefined;
  event: string | undefined;
  data: unknown;
}

/** What a format is on the wire: S3's frames by name and data, the words of S0 by name, the others whole. */
function wireOf(log: readonly LogRecord[], format: FormatName): Wire[] {
  return encodeAll(FORMATS[format] as EventFormat<unknown, { type: string; data?: unknown }>, log).map(
    ({ seq, frame }) => {
      const isNamed = format === 'execution' || (format === 'steps' && frame.type !== 'step');
      const isBare = format === 'execution' || format === 'steps';
      const whole = format === 'stream' ? { ...frame, seq } : frame;
      return {
        id: String(seq),
        event: isNamed ? frame.type : undefined,
        data: JSON.parse(JSON.stringify(isBare ? frame.data : whole)) as unknown,
      };
    },
  );
}

const toWire = ({ id, event, data }: { id?: string | undefined; event?: string | undefined; data: string }): Wire => ({
  id,
  event,
  data: JSON.parse(data) as unknown,
});

const isEnd = ({ event }: { event?: string | undefined }) => event === 'end';

test.each(FORMAT_NAMES)(
  '[S3.A10] format=%s: viewers who join at any moment each read the fold of the final log',
  async (format) => {
    const sessionId = await aSession(api.store);
    const early = readStream(await open(sessionId, format)).rest();
    const records = drafts();
    await write(sessionId, records.slice(0, 20));
    const middle = readStream(await open(sessionId, format, 10)).rest();
    for (const record of records.slice(20, -1)) await api.store.log.append(sessionId, [record]);
    const late = readStream(await open(sessionId, format, 33)).rest();
    await api.store.log.append(sessionId, records.slice(-1), { patch: { status: COMPLETED, closed: true } });

    const wire = wireOf(await logOfSession(sessionId), format);
    for (const [after, reading] of [
      [0, early],
      [10, middle],
      [33, late],
    ] as const) {
      const frames = await reading;
      expect(frames.filter((frame) => !isEnd(frame)).map(toWire)).toEqual(wire.filter(({ id }) => Number(id) > after));
      // S3 ends with done or error and with nothing of the transport (S3.A2).
      expect(frames.filter(isEnd)).toHaveLength(format === 'execution' ? 0 : 1);
    }
  },
);

test.each(FORMAT_NAMES)(
  'format=%s: a reader who drops off after every few frames and comes back has each frame once',
  async (format) => {
    const sessionId = await aSession(api.store);
    const writing = write(sessionId, drafts());
    const joined: Wire[] = [];
    let after: number | undefined;
    for (let reconnects = 0; ; reconnects += 1) {
      const response = await open(sessionId, format, after);
      if (response.status === 204) break;
      const stream = readStream(response);
      const frames = await stream.take(1 + (reconnects % 4));
      await stream.disconnect();
      joined.push(...frames.filter((frame) => !isEnd(frame)).map(toWire));
      after = Math.max(after ?? 0, ...joined.map(({ id }) => Number(id)));
      if (frames.length === 0 || frames.some(isEnd)) break;
    }
    await writing;
    expect(joined).toEqual(wireOf(await logOfSession(sessionId), format));
  },
);

test.each(FORMAT_NAMES)(
  'format=%s: pages follow one another by nextAfter and hold the same frames, with their seq',
  async (format) => {
    const sessionId = await aSession(api.store);
    await write(sessionId, drafts());
    const items: unknown[] = [];
    let after = 0;
    for (let isEnded = false; !isEnded;) {
      const body = await bodyOf(
        api.app.request(`/v1/sessions/${sessionId}/events?format=${format}&limit=5&after=${after}`),
      );
      EventPageSchema.parse(body);
      items.push(...body.data);
      expect(body.hasMore || body.isEnded).toBe(true);
      ({ nextAfter: after, isEnded } = body);
    }
    const expected = encodeAll(FORMATS[format] as EventFormat<unknown, object>, await logOfSession(sessionId));
    expect(items).toEqual(JSON.parse(JSON.stringify(expected.map(({ seq, frame }) => ({ seq, ...frame })))));
  },
);

test('an empty page of a format is held until there is an event to return', async () => {
  const sessionId = await aSession(api.store);
  const records = drafts();
  await api.store.log.append(sessionId, records.slice(0, 2), { patch: { status: ACTIVE } });
  const waiting = bodyOf(api.app.request(`/v1/sessions/${sessionId}/events?format=execution&wait=30`));
  for (const record of records.slice(2, 6)) await api.store.log.append(sessionId, [record]);
  const { data, nextAfter, isEnded } = await waiting;
  expect(data[0]).toMatchObject({ seq: 4, type: 'model_fallback' });
  expect([nextAfter >= 4, isEnded]).toEqual([true, false]);
});

test.each(FORMAT_NAMES)('format=%s in this process is the same as over HTTP', async (format) => {
  const sessionId = await aSession(api.store);
  const received: unknown[] = [];
  const following = (async () => {
    for await (const { seq, frame } of followAs(api.parts.sessions, sessionId, format, { after: 12 }))
      received.push({ seq, frame });
  })();
  await write(sessionId, drafts());
  await following;
  const log = await logOfSession(sessionId);
  expect(received).toEqual(
    encodeAll(FORMATS[format] as EventFormat<unknown, object>, log).filter(({ seq }) => seq > 12),
  );
});

test('[S3.A1] a frame of the execution format is id, type as event, data as JSON and a blank line', async () => {
  const sessionId = await aSession(api.store);
  await write(sessionId, drafts());
  const text = await (await open(sessionId, 'execution', 5)).text();
  expect(text.slice(0, text.indexOf('\n\n', 20) + 2)).toBe(
    'retry: 2000\n\nid: 6\nevent: token_delta\ndata: {"content":"I be","index":0}\n\n',
  );
  expect(text).toMatch(
    /\n\nid: 61\nevent: done\ndata: \{"status":"completed","total_tokens":955,"total_credits":"2\.47"\}\n\n$/,
  );
  expect(text).not.toMatch(/event: end/);
});

test.each([
  ['types=COMMAND_STARTED', 'execution'],
  ['step=0', 'agent'],
  ['since=2026-01-01T00:00:00Z', 'steps'],
  ['until=2026-01-01T00:00:00Z', 'execution'],
  ['actions=s1', 'agent'],
])('?%s goes with format=stream only, and is refused with format=%s', async (filter, format) => {
  const sessionId = await aSession(api.store);
  for (const headers of [SSE, {}]) {
    const response = await api.app.request(`/v1/sessions/${sessionId}/events?format=${format}&${filter}`, { headers });
    expect(response.status).toBe(400);
    const { error } = await bodyOf(response);
    expect(error).toMatchObject({ code: 'FA001', details: { issues: [{ path: 'format' }] } });
    expect(error.message).toContain(`format=${format} has every event`);
  }
});

test('an unknown format is refused by name', async () => {
  const sessionId = await aSession(api.store);
  const response = await api.app.request(`/v1/sessions/${sessionId}/events?format=xml`);
  expect([response.status, (await bodyOf(response)).error.details.issues[0].path]).toEqual([400, 'format']);
});

test('a log without its beginning is a stream, and 410 in the formats that fold the whole log', async () => {
  const sessionId = await aSession(api.store, {
    steps: ['open http://127.0.0.1/'],
    config: { streamConfig: { bufferSize: 10, maxHistorySize: 5, compressionEnabled: false } },
  });
  await api.store.log.append(sessionId, thoughts(1, 20));
  await endSession(api.store, sessionId);
  await api.store.retention.trimHistories();
  for (const headers of [SSE, {}]) {
    const cut = await api.app.request(`/v1/sessions/${sessionId}/events?format=agent`, { headers });
    expect(cut.status).toBe(410);
    expect((await bodyOf(cut)).error.message).toMatch(
      /events before \d+ are gone .* format=stream has those that are left/,
    );
  }
  expect((await api.app.request(`/v1/sessions/${sessionId}/events`, { headers: SSE })).status).toBe(200);
  await expect(followAs(api.parts.sessions, sessionId, 'steps').next()).rejects.toThrow(/are gone/);
});

test('a viewer behind a small buffer folds for itself; the log is read once for all at the tip', async () => {
  const sessionId = await aSession(api.store, {
    steps: ['open http://127.0.0.1/'],
    config: { streamConfig: { bufferSize: 10, maxHistorySize: 5000, compressionEnabled: false } },
  });
  let reads = 0;
  const sessions: Sessions = {
    ...api.parts.sessions,
    events: (...args) => {
      reads += 1;
      return api.parts.sessions.events(...args);
    },
  };
  const app = createApi({ ...api.parts, sessions });
  const records = drafts();
  await api.store.log.append(sessionId, records.slice(0, 30), { patch: { status: ACTIVE } });
  const slow = readStream(await open(sessionId, 'execution', undefined, app));
  const first = await slow.take(1);
  const viewers = await Promise.all(
    Array.from({ length: 20 }, async () => readStream(await open(sessionId, 'execution', 29, app))),
  );
  const firsts = await Promise.all(viewers.map((viewer) => viewer.take(1)));
  const before = reads;
  for (const record of records.slice(30, 36)) await api.store.log.append(sessionId, [record]);
  const seconds = await Promise.all(viewers.map((viewer) => viewer.take(3)));
  expect(reads).toBe(before);
  for (const record of records.slice(36, -1)) await api.store.log.append(sessionId, [record]);
  await api.store.log.append(sessionId, records.slice(-1), { patch: { status: COMPLETED, closed: true } });
  const wire = wireOf(await logOfSession(sessionId), 'execution');
  expect([...first, ...(await slow.rest())].map(toWire)).toEqual(wire);
  for (const [index, viewer] of viewers.entries()) {
    const all = [...firsts[index]!, ...seconds[index]!, ...(await viewer.rest())];
    expect(all.map(toWire)).toEqual(wire.filter(({ id }) => Number(id) > 29));
  }
});
