import { spawn } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import postgres from 'postgres';
import { standardError, type StandardError } from '../../../contracts/errors/standard-error';
import { StreamEventType } from '../../../contracts/events/stream-event';
import { SessionStatus } from '../../../contracts/sessions/session';
import { StepStatus } from '../../../contracts/steps/step-result';
import { MIGRATIONS } from '../../../store/schema/migrations';
import { closeSession } from '../../../store/endings/close-session';
import type { Store } from '../../../store/store';
import { aRecord, aSession } from '../../support/builders';
import { startTestStack, type TestStack } from '../../support/stack';

const { STEP_STARTED, STEP_COMPLETED, WORKFLOW_COMPLETED } = StreamEventType;
const runId = 'run-1';
let stack: TestStack;
let store: Store;

beforeAll(async () => {
  stack = await startTestStack({ parts: ['postgres'] });
  store = await stack.store();
});
afterAll(() => stack.stop());

const anError = (): StandardError =>
  standardError({ id: randomUUID(), timestamp: new Date(), code: 'SP002', message: 'ended from outside' });
const stepRecord = (type: StreamEventType, stepIndex: number) =>
  aRecord(`${type}/${stepIndex}`, {
    type,
    stepIndex,
    data: { step: { stepIndex, stepContent: 'buy', status: StepStatus.IN_PROGRESS } },
  });

test('a session that has ended gets no lease any more', async () => {
  const sessionId = await aSession(store, { runId, isActive: true });
  await closeSession(store, sessionId, { status: SessionStatus.FAILED, error: anError() });
  await expect(store.leases.acquire(sessionId, { runId }, 'host-1', 'worker-1')).rejects.toEqual(
    expect.objectContaining({ name: 'StoreRefusal', reason: 'closed' }),
  );
  expect(await store.leases.get(sessionId)).toBeNull();
});

test('each taking of a lease is a new epoch, and the last one counts', async () => {
  const sessionId = await aSession(store, { runId });
  expect(await store.leases.get(sessionId)).toBeNull();
  const first = await store.leases.acquire(sessionId, { runId }, 'host-1', 'worker-1');
  await store.leases.setTarget(sessionId, first.epoch, 'tab-1');
  const second = await store.leases.acquire(sessionId, { runId }, 'host-1', 'worker-2');
  expect([first.epoch, second.epoch]).toEqual([1, 2]);
  expect(second).toMatchObject({ hostId: 'host-1', workerId: 'worker-2', targetId: 'tab-1' });
  // Who was taken over from can't move the tab any more.
  await store.leases.setTarget(sessionId, first.epoch, 'tab-9');
  expect(await store.leases.get(sessionId)).toEqual(second);
  const elsewhere = await store.leases.acquire(sessionId, { runId }, 'host-2', 'worker-3');
  expect(elsewhere).toMatchObject({ epoch: 3, targetId: null });
  // Neither another host nor who was taken over from gives it back.
  await store.leases.release(sessionId, { hostId: 'host-1', upTo: Infinity });
  await store.leases.release(sessionId, { hostId: 'host-2', upTo: 2 });
  expect(await store.leases.get(sessionId)).toEqual(elsewhere);
  await store.leases.release(sessionId, { hostId: 'host-2', upTo: 3 });
  await store.leases.release(sessionId, { hostId: 'host-2', upTo: 3 });
  expect(await store.leases.get(sessionId)).toBeNull();
});

test('a stale attempt takes a lease from no newer one, nor from a later activity of its run', async () => {
  const sessionId = await aSession(store, { runId });
  const take = (activityId: string, attempt: number, of = runId) =>
    store.leases.acquire(sessionId, { runId: of, activityId, attempt }, 'host-1', 'worker-1');
  const late = { reason: 'stale-attempt' };
  expect((await take('9', 1)).epoch).toBe(1);
  expect((await take('9', 2)).epoch).toBe(2);
  await expect(take('9', 1)).rejects.toMatchObject(late);
  expect((await take('10', 1)).epoch).toBe(3);
  await expect(take('9', 3)).rejects.toMatchObject(late);
  expect((await take('10', 1)).epoch).toBe(4);
  // A lease that was given back says nothing about who may have the next.
  await store.leases.release(sessionId, { hostId: 'host-1', upTo: Infinity });
  await expect(take('9', 3)).rejects.toMatchObject(late);
  await store.sessions.assignRun(sessionId, 'next', runId);
  expect((await take('2', 1, 'next')).epoch).toBe(5);
});

test('attempts that acquire a lease at the same moment get different epochs, and another run gets none', async () => {
  const sessionId = await aSession(store, { runId });
  const leases = Array.from({ length: 8 }, (_, n) => store.leases.acquire(sessionId, { runId }, 'host', `worker-${n}`));
  const epochs = (await Promise.all(leases)).map((lease) => lease.epoch).sort((a, b) => a - b);
  expect(epochs).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  await expect(store.leases.acquire(sessionId, { runId: 'run-2' }, 'host', 'worker')).rejects.toMatchObject({
    reason: 'superseded',
  });
  expect(await store.leases.get(sessionId)).toMatchObject({ epoch: 8 });
});

test('a host is as silent as its last beat is old, by the clock of the database', async () => {
  expect(await store.hosts.get('host-x')).toBeNull();
  await store.hosts.heartbeat({
    hostId: 'host-x',
    keeperUrl: 'http://127.0.0.1:1',
    token: 'one',
    capacity: 4,
    browsers: 0,
  });
  await store.hosts.heartbeat({
    hostId: 'host-x',
    keeperUrl: 'http://127.0.0.1:2',
    token: 'two',
    capacity: 4,
    browsers: 1,
  });
  const host = await store.hosts.get('host-x');
  expect(host).toMatchObject({ keeperUrl: 'http://127.0.0.1:2', keeperToken: 'two' });
  expect(host?.silentForMs).toBeGreaterThanOrEqual(0);
  expect(host?.silentForMs).toBeLessThan(10_000);
});

test.each([
  [SessionStatus.FAILED, StepStatus.FAILED],
  [SessionStatus.CANCELLED, StepStatus.CANCELLED],
] as const)(
  '[S1.A30] a session ended as %s from outside gets an end for its open step, then its one last event',
  async (status, stepStatus) => {
    const sessionId = await aSession(store, { runId });
    await store.log.append(sessionId, [
      stepRecord(STEP_STARTED, 0),
      stepRecord(STEP_COMPLETED, 0),
      stepRecord(STEP_STARTED, 1),
    ]);
    const error = anError();
    await Promise.all([
      closeSession(store, sessionId, { status, error }),
      closeSession(store, sessionId, { status, error }),
    ]);
    await closeSession(store, sessionId, { status, error });
    const log = (await store.log.read(sessionId, 3, 100)).map(({ type, stepIndex, data }) => ({
      type,
      stepIndex,
      data,
    }));
    expect(log).toMatchObject([
      {
        type: 'STEP_FAILED',
        stepIndex: 1,
        data: { step: { stepIndex: 1, status: stepStatus }, error: { code: 'SP002' } },
      },
      { type: 'SESSION_STATUS', data: { message: status, details: { status } } },
      { type: 'WORKFLOW_FAILED', data: { message: error.message, error: { code: 'SP002' } } },
    ]);
    expect(await store.sessions.get(sessionId)).toMatchObject({ status, closed: true, paused: false });
  },
);

test('[S1.A30] closing out a session that has ended already changes nothing', async () => {
  const sessionId = await aSession(store, { runId, isActive: true });
  await store.log.append(sessionId, [aRecord('end', { type: WORKFLOW_COMPLETED })], {
    patch: { status: SessionStatus.COMPLETED, closed: true },
  });
  await closeSession(store, sessionId, { status: SessionStatus.FAILED, error: anError() });
  expect(await store.log.read(sessionId, 0, 10)).toHaveLength(1);
  expect(await store.sessions.get(sessionId)).toMatchObject({ status: 'COMPLETED', error: null });
});

test('an artifact is found by its id and read as it was saved, and saving it again replaces it whole', async () => {
  const sessionId = await aSession(store);
  const content = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2]);
  const facts = { sessionId, artifactId: 'i1', kind: 'screenshot', stepIndex: 1, commandId: 'c1' } as const;
  await store.artifacts.save({ ...facts, content: 'an earlier attempt' });
  const row = await store.artifacts.save({ ...facts, content, facts: { width: 8 } });
  expect(row).toMatchObject({
    mediaType: 'image/png',
    path: join(sessionId, 'i1.png'),
    bytes: content.length,
    sha256: createHash('sha256').update(content).digest('hex'),
    stepIndex: 1,
    commandId: 'c1',
    facts: { width: 8 },
  });
  expect(await store.artifacts.get(sessionId, 'i1')).toEqual(row);
  expect(await store.artifacts.read(row)).toEqual(content);
  expect(await store.artifacts.get(sessionId, 'other')).toBeNull();

  const dom = await store.artifacts.save({ sessionId, artifactId: 'd1', kind: 'dom', content: '<p>ä</p>' });
  expect((await store.artifacts.read(dom)).toString()).toBe('<p>ä</p>');
  expect(await store.artifacts.list(sessionId, 'dom')).toEqual([dom]);
  expect(readdirSync(join(stack.home, 'artifacts', sessionId)).sort()).toEqual(['d1.html', 'i1.png']);
});

test('what a session remembers is replaced by a repeated attempt, except how a step ended', async () => {
  const sessionId = await aSession(store);
  const look = { snapshotId: 'l1', url: 'https://shop.test/', title: 'Shop', tabs: [], nodes: [] };
  expect(await store.memory.snapshot(sessionId)).toBeNull();
  await store.memory.saveSnapshot(sessionId, {}, look);
  await store.memory.saveSnapshot(sessionId, {}, { ...look, snapshotId: 'l2' });
  expect(await store.memory.snapshot(sessionId)).toEqual({ ...look, snapshotId: 'l2' });

  const end = {
    stepIndex: 0,
    status: StepStatus.COMPLETED,
    reasoning: 'r',
    durationMs: 5,
    page: { screenshotId: '', url: 'u' },
  };
  await store.memory.saveStepResult(sessionId, end);
  await store.memory.saveStepResult(sessionId, { ...end, status: StepStatus.FAILED });
  expect(await store.memory.stepResults(sessionId)).toEqual([end]);
});

test('an empty database is brought up by two processes that start at the same moment', async () => {
  const url = new URL(stack.databaseUrl);
  const admin = postgres(stack.databaseUrl, { max: 1, onnotice: () => {} });
  await admin`create database migrated_by_two`;
  await admin.end();
  url.pathname = '/migrated_by_two';
  const program = `require(${JSON.stringify(join(__dirname, '..', '..', '..', 'dist', 'store', 'database', 'migrate.js'))}).migrate(${JSON.stringify(url.href)})`;
  const start = () =>
    new Promise<number | null>((resolve) => {
      spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'ignore', 'inherit'] }).on('close', resolve);
    });
  expect(await Promise.all([start(), start()])).toEqual([0, 0]);
  const sql = postgres(url.href, { max: 1 });
  const rows = await sql`select name from schema_migrations`;
  expect(rows.map((row) => row['name'])).toEqual(Object.keys(MIGRATIONS));
  await sql.end();
});
