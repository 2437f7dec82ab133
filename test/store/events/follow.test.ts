import { createServer, connect as connectTo, type Server } from 'node:net';
import { StreamEventType } from '../../../contracts/events/stream-event';
import type { LogRecord } from '../../../contracts/events/log';
import { openStore, type Store } from '../../../store/store';
import { createEventLog } from '../../../store/events/event-log';
import { createLogNotifier } from '../../../store/events/log-notifier';
import { connect } from '../../../store/database/connect';
import { aRecord, aSession } from '../../support/builders';
import { eventually } from '../../support/eventually';
import { createPortChooser } from '../../../cli/stack/ports/ports';
import { collectReports } from '../../local/stack-fixture';
import { startTestStack, type TestStack } from '../../support/stack';

let stack: TestStack;
let writer: Store;
let reader: Store;

beforeAll(async () => {
  stack = await startTestStack({ parts: ['postgres'] });
  writer = await stack.store();
  reader = await openStore({ databaseUrl: stack.databaseUrl, home: stack.home });
});
afterAll(async () => {
  await reader.close();
  await stack.stop();
});

const END = aRecord('end', { type: StreamEventType.WORKFLOW_FAILED });
const never = new AbortController().signal;

/** Follows in the background; `seen` grows, `ended` settles when the generator does. */
function follow(store: Pick<Store, 'log'>, sessionId: string, after = 0, signal = never) {
  const seen: LogRecord[] = [];
  const ended = (async () => {
    for await (const records of store.log.follow(sessionId, after, signal)) seen.push(...records);
  })();
  ended.catch(() => {});
  return { seen, ended };
}

test('a reader of another process is woken well before its slow poll, and ends with the terminal record', async () => {
  const sessionId = await aSession(writer);
  const { seen, ended } = follow(reader, sessionId);
  const delays: number[] = [];
  for (let n = 1; n <= 10; n += 1) {
    const before = performance.now();
    await writer.log.append(sessionId, [aRecord(`run/${n}`)]);
    await eventually(`record ${n} is seen`, () => seen.length === n);
    delays.push(performance.now() - before);
  }
  // The slow poll comes once a second: without the bell each would wait about that long, and the middle one with them.
  expect(delays.slice(1).toSorted((one, other) => one - other)[4]).toBeLessThan(700);
  await writer.log.append(sessionId, [END]);
  await ended;
  expect(seen.map((record) => record.eventId)).toEqual([
    ...Array.from({ length: 10 }, (_, n) => `run/${n + 1}`),
    'end',
  ]);
});

test('no reader loses or repeats a record while four writers append', async () => {
  const sessionId = await aSession(writer);
  const readers = [follow(reader, sessionId), follow(writer, sessionId), follow(reader, sessionId)];
  const write = async (name: string, store: Store): Promise<void> => {
    for (let n = 0; n < 60; n += 1) await store.log.append(sessionId, [aRecord(`${name}/${n}`)]);
  };
  const writing = [write('a', writer), write('b', reader), write('c', writer), write('d', reader)];
  readers.push(follow(reader, sessionId, 20));
  await Promise.all(writing);
  await writer.log.append(sessionId, [END], { patch: { closed: true } });
  await Promise.all(readers.map(({ ended }) => ended));

  const log = await writer.log.read(sessionId, 0, 1000);
  expect(log).toHaveLength(241);
  for (const { seen } of readers.slice(0, 3)) expect(seen).toEqual(log);
  expect(readers[3]?.seen).toEqual(log.slice(20));
});

test('a long log is handed out whole, page by page', async () => {
  const sessionId = await aSession(writer);
  const records = Array.from({ length: 1200 }, (_, n) => aRecord(`run/${n}`));
  await writer.log.append(sessionId, [...records, END], { patch: { closed: true } });
  const { seen, ended } = follow(reader, sessionId);
  await ended;
  expect(seen.map((record) => record.seq)).toEqual(Array.from({ length: 1201 }, (_, n) => n + 1));
});

test('a reader that goes away ends at once, whether it waits or not', async () => {
  const sessionId = await aSession(writer);
  const leaving = new AbortController();
  const { seen, ended } = follow(reader, sessionId, 0, leaving.signal);
  await writer.log.append(sessionId, [aRecord('run/1')]);
  await eventually('the record is seen', () => seen.length === 1);
  leaving.abort();
  await ended;
  const late = follow(reader, sessionId, 0, leaving.signal);
  await late.ended;
  expect(late.seen).toEqual([]);
});

test('a reader that came while the database was away follows once it is back', async () => {
  const sessionId = await aSession(writer);
  const { port, hostname } = new URL(stack.databaseUrl);
  const relay: Server = createServer((client) => {
    const server = connectTo(Number(port), hostname);
    client.pipe(server).pipe(client);
    for (const socket of [client, server]) socket.on('error', () => socket.destroy());
  });
  // Not one that another connection may be given while nobody listens there.
  const away = await createPortChooser({}, true, collectReports()).choose({ variable: 'RELAY_PORT', preferred: 0 });
  const url = new URL(stack.databaseUrl);
  url.port = String(away);
  url.hostname = '127.0.0.1';
  const sql = connect(url.href);
  const bell = createLogNotifier(sql, () => connect(url.href));
  const store = { log: createEventLog(sql, bell) };
  await expect(follow(store, sessionId).ended).rejects.toThrow(/ECONNREFUSED/);

  await new Promise<void>((resolve) => relay.listen(away, '127.0.0.1', resolve));
  try {
    await writer.log.append(sessionId, [aRecord('run/1'), END], { patch: { closed: true } });
    const seen = await eventually('the reader follows', async () => {
      const reading = follow(store, sessionId);
      await reading.ended.catch(() => {});
      return reading.seen.length > 0 && reading.seen;
    });
    expect(seen.map((record) => record.eventId)).toEqual(['run/1', 'end']);
  } finally {
    await bell.close().catch(() => {});
    await sql.end({ timeout: 1 });
    await new Promise((resolve) => relay.close(resolve));
  }
});
