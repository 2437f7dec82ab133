/** What is kept of a session that has ended, and for how long; an open or paused one is never touched. */
import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import postgres from 'postgres';
import { createSessions } from '../../../service/sessions';
import { connectTemporal } from '../../../service/connection/connect-temporal';
import { SessionStatus } from '../../../contracts/sessions/session';
import type { Store } from '../../../store/store';
import { sweepOnce } from '../../../worker/retention';
import { endSession, silent, thoughts } from '../../api/fixture';
import { aPlan, aSession } from '../../support/builders';
import { startTestStack, type TestStack } from '../../support/stack';

const KEEP = { artifactHours: 24, artifactsPerSession: 3, sessionDays: 30, uploadDays: 7, tombstoneDays: 365 };

let stack: TestStack;
let store: Store;
let sql: postgres.Sql;
beforeAll(async () => {
  stack = await startTestStack();
  store = await stack.store();
  sql = postgres(stack.databaseUrl, { max: 1 });
});
afterAll(async () => {
  await sql.end();
  await stack.stop();
});

const folderOf = (sessionId: string): string => join(stack.home, 'artifacts', sessionId);
const filesOf = (sessionId: string): string[] =>
  existsSync(folderOf(sessionId)) ? readdirSync(folderOf(sessionId)).sort() : [];

async function sessionWith(artifacts: number, kind: 'screenshot' | 'dom' = 'screenshot'): Promise<string> {
  const sessionId = await aSession(store, {
    plan: aPlan({ steps: ['Open'], variables: { pin: '4711' } }),
    isActive: true,
  });
  await store.log.append(sessionId, thoughts(1, 5));
  for (let n = 0; n < artifacts; n += 1)
    await store.artifacts.save({ sessionId, artifactId: `${kind}-${n}`, kind, content: 'x' });
  return sessionId;
}

/** Everything of the session happened so long ago, by the database's clock. */
const age = (sessionId: string, ago: string) =>
  sql`update sessions set created_at = created_at - ${ago}::interval, last_activity = last_activity - ${ago}::interval where session_id = ${sessionId}`;

const sweep = (isWalking = true) => sweepOnce({ store, keep: KEEP, logger: silent }, { isWalking });

test('of an ended session the newest of each kind stay at once, and none after the hours are over', async () => {
  const sessionId = await sessionWith(5);
  for (let n = 0; n < 4; n += 1)
    await store.artifacts.save({ sessionId, artifactId: `dom-${n}`, kind: 'dom', content: 'x' });
  await sweep();
  expect(filesOf(sessionId)).toHaveLength(9);
  await endSession(store, sessionId);
  await sweep();
  expect(filesOf(sessionId)).toEqual([
    'dom-1.html',
    'dom-2.html',
    'dom-3.html',
    'screenshot-2.png',
    'screenshot-3.png',
    'screenshot-4.png',
  ]);
  expect((await store.artifacts.list(sessionId, 'screenshot')).map(({ artifactId }) => artifactId)).toEqual([
    'screenshot-2',
    'screenshot-3',
    'screenshot-4',
  ]);
  await age(sessionId, '25 hours');
  await sweep();
  expect([filesOf(sessionId), await store.artifacts.list(sessionId, 'dom')]).toEqual([[], []]);
  expect(existsSync(folderOf(sessionId))).toBe(false);
  expect(await store.log.read(sessionId, 0, 10)).toHaveLength(6);
});

test('an uploaded file goes when its days are over', async () => {
  const content = Buffer.from('x');
  const [{ row: old }, { row: young }] = [
    await store.uploads.save({ name: 'a.txt', mediaType: 'text/plain', content }),
    await store.uploads.save({ name: 'a.txt', mediaType: 'text/plain', content }),
  ];
  const pathOf = ({ path }: { path: string }): string => join(stack.home, 'artifacts', path);
  await sql`update uploads set at = at - interval '8 days' where file_id = ${old.fileId}`;
  await sweep();
  expect([await store.uploads.get(old.fileId), existsSync(pathOf(old))]).toEqual([null, false]);
  expect(await store.uploads.get(young.fileId)).toEqual(young);
  expect(existsSync(pathOf(young))).toBe(true);
});

test.each([
  ['open', {}],
  ['paused', { paused: true, status: SessionStatus.PAUSED }],
])('nothing of a session that is %s is removed, however old', async (_, patch) => {
  const sessionId = await sessionWith(5);
  await store.log.append(sessionId, [], { patch });
  writeFileSync(join(folderOf(sessionId), 'half.png.part'), 'x');
  await age(sessionId, '400 days');
  await sweep();
  expect(filesOf(sessionId)).toHaveLength(6);
  expect(await store.log.read(sessionId, 0, 10)).toHaveLength(5);
  expect(await store.sessions.get(sessionId)).toMatchObject({ isExpired: false });
});

test('[S1.26] of an ended session the newest maxHistorySize events stay; older cursors are refused', async () => {
  const temporal = connectTemporal({ address: '127.0.0.1:1', namespace: 'default' });
  const sessions = createSessions({ store, temporal });
  const streamConfig = { maxHistorySize: 4 };
  const sessionId = await aSession(store, {
    plan: aPlan({ steps: ['Open'], config: { streamConfig } }),
    isActive: true,
  });
  await store.log.append(sessionId, thoughts(1, 9));
  await sweep();
  expect(await sessions.events(sessionId, 0, 100)).toHaveLength(9);
  await endSession(store, sessionId);
  await sweep();
  expect((await sessions.events(sessionId, 0, 100)).map(({ seq }) => seq)).toEqual([7, 8, 9, 10]);
  expect((await sessions.events(sessionId, 6, 100)).map(({ seq }) => seq)).toEqual([7, 8, 9, 10]);
  expect(await sessions.state(sessionId)).toMatchObject({ firstSeq: 7, lastSeq: 10, isEnded: true, isExpired: false });
  await expect(sessions.events(sessionId, 5, 100)).rejects.toMatchObject({
    kind: 'gone',
    message: expect.stringContaining('before 7'),
  });
  await sweep();
  expect(await sessions.events(sessionId, 0, 100)).toHaveLength(4);
  await temporal.connection.close();
});

test('after the days log, journal and values are gone; the row stays, and a reader learns of it', async () => {
  const temporal = connectTemporal({ address: '127.0.0.1:1', namespace: 'default' });
  const sessions = createSessions({ store, temporal });
  const sessionId = await sessionWith(1);
  await store.memory.saveSnapshot(sessionId, {}, { snapshotId: randomUUID(), url: '', title: '', tabs: [], nodes: [] });
  await endSession(store, sessionId);
  await age(sessionId, '29 days');
  await sweep();
  expect(await sessions.events(sessionId, 0, 10)).toHaveLength(6);
  await age(sessionId, '2 days');
  await sweep();
  await expect(sessions.events(sessionId, 0, 10)).rejects.toMatchObject({
    kind: 'gone',
    code: 'CM001',
    message: expect.stringContaining(sessionId),
  });
  const following = sessions.follow(sessionId, 2, new AbortController().signal);
  await expect(following.next()).rejects.toMatchObject({ kind: 'gone' });
  // Who has read it to its end missed nothing.
  expect(await sessions.events(sessionId, 6, 10)).toEqual([]);
  expect(await sessions.state(sessionId)).toMatchObject({ isEnded: true, isExpired: true, lastSeq: 6 });
  expect((await sessions.get(sessionId)).variables).toEqual([]);
  expect(JSON.stringify(await store.sessions.get(sessionId))).not.toContain('4711');
  expect([await store.memory.snapshot(sessionId), await store.variables.ofSession(sessionId)]).toEqual([null, []]);
  await age(sessionId, '340 days');
  await sweep();
  expect(await store.sessions.get(sessionId)).toBeNull();
  await temporal.connection.close();
});

test('the key that started an expired session does not start it again', async () => {
  const temporal = connectTemporal({ address: stack.temporalAddress, namespace: 'default' });
  const sessions = createSessions({ store, temporal });
  const request = { steps: ['look'], variables: { pin: '4711' } };
  const { sessionId } = await sessions.start(request, { idempotencyKey: 'once' });
  await endSession(store, sessionId);
  await age(sessionId, '31 days');
  await sweep();
  expect(await sessions.start(request, { idempotencyKey: 'once' })).toMatchObject({ sessionId, isNew: false });
  await temporal.connection.close();
});

test('a session whose browser is not released yet waits for the reaper', async () => {
  const sessionId = await aSession(store, { runId: 'run' });
  await store.leases.acquire(sessionId, { runId: 'run' }, 'host', 'worker');
  await endSession(store, sessionId);
  await age(sessionId, '31 days');
  await sweep();
  expect(await store.sessions.get(sessionId)).toMatchObject({ isExpired: false });
});

test('a file that no row knows is removed once its session has settled; a folder of nobody once it is old', async () => {
  const settled = await sessionWith(1);
  await endSession(store, settled);
  const fresh = await sessionWith(1);
  await endSession(store, fresh);
  await age(settled, '2 hours');
  const [old, young] = [randomUUID(), randomUUID()];
  for (const sessionId of [settled, fresh, old, young]) {
    mkdirSync(folderOf(sessionId), { recursive: true });
    writeFileSync(join(folderOf(sessionId), 'orphan.png'), 'x');
  }
  const longAgo = Date.now() / 1000 - 25 * 3600;
  utimesSync(folderOf(old), longAgo, longAgo);
  await sweep(false);
  expect(filesOf(settled)).toContain('orphan.png');
  await sweep(true);
  expect([filesOf(settled), filesOf(fresh), filesOf(old), filesOf(young)]).toEqual([
    ['screenshot-0.png'],
    ['orphan.png', 'screenshot-0.png'],
    [],
    ['orphan.png'],
  ]);
});

test('several workers that sweep at once remove everything once, and fail at nothing', async () => {
  const ids = await Promise.all(Array.from({ length: 12 }, () => sessionWith(4)));
  for (const id of ids) {
    await endSession(store, id);
    await age(id, '31 days');
  }
  await Promise.all(Array.from({ length: 4 }, () => sweep()));
  await sweep();
  expect(ids.flatMap(filesOf)).toEqual([]);
  expect(await Promise.all(ids.map(async (id) => (await store.sessions.get(id))!.isExpired))).toEqual(
    ids.map(() => true),
  );
});

test('a record is as late as its writer says if that fits between the one before and now', async () => {
  const sessionId = await aSession(store);
  await age(sessionId, '1 hour');
  const at = (ms: number) => new Date(Date.now() + ms).toISOString();
  const HOUR = 3_600_000;
  // The first fits whatever the clocks of test and database differ by.
  const given = [at(-1000), at(HOUR), at(-HOUR), at(0)];
  for (const [index, time] of given.entries()) {
    await store.log.append(
      sessionId,
      thoughts(index + 1, index + 1).map((record) => ({ ...record, at: time })),
    );
  }
  const times = (await store.log.read(sessionId, 0, 10)).map((record) => Date.parse(record.at));
  expect(times).toEqual([...times].sort((one, other) => one - other));
  expect(times[0]).toBe(Date.parse(given[0]!));
  for (const time of times) expect(Math.abs(time - Date.now())).toBeLessThan(HOUR / 2);
});
