import { randomUUID } from 'node:crypto';
import { connect } from '../../../store/database/connect';
import { outageReason } from '../../../store/database/outage';
import type { Store } from '../../../store/store';
import { aSession } from '../../support/builders';
import { startTestStack, type TestStack } from '../../support/stack';

const runId = 'run-1';
let stack: TestStack;
let store: Store;

beforeAll(async () => {
  stack = await startTestStack({ parts: ['postgres'] });
  store = await stack.store();
});
afterAll(() => stack.stop());

const at = (second: number): Date => new Date(Date.UTC(2026, 0, 1, 0, 0, second));
async function waiting(priority: number, second: number) {
  const sessionId = await aSession(store, { runId });
  const request = { sessionId, requestId: `${sessionId}/1`, priority, since: at(second) };
  await store.browserRequests.wait(request);
  return request;
}
const places = (requests: { sessionId: string }[]) =>
  Promise.all(requests.map(({ sessionId }) => store.browserRequests.position(sessionId)));

test('sessions wait by priority and then by time, and only while they are open and no host has taken them', async () => {
  const [late, early, urgent] = [await waiting(3, 20), await waiting(3, 10), await waiting(1, 30)];
  expect(await places([urgent, early, late])).toEqual([1, 2, 3]);
  await store.leases.acquire(urgent.sessionId, { runId }, 'host-1', 'worker-1', urgent.requestId);
  expect(await places([urgent, early, late])).toEqual([null, 1, 2]);
  await store.log.append(early.sessionId, [], { patch: { closed: true } });
  expect(await places([early, late])).toEqual([null, 1]);
});

test('a worker that freezes within a transaction holds no session: another one gets its lease', async () => {
  const sessionId = await aSession(store, { runId });
  const sql = connect(stack.databaseUrl, { maxConnections: 1 });
  const [locked, thawed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const frozen = sql.begin(async (tx) => {
    await tx`select from sessions where session_id = ${sessionId} for update`;
    locked.resolve();
    // A process that gets SIGSTOP here says nothing more, and its connection stays open.
    await thawed.promise;
    await tx`update sessions set epoch = 9 where session_id = ${sessionId}`;
  });
  const ended = frozen.catch((reason: unknown) => reason);
  await locked.promise;
  expect(await store.leases.acquire(sessionId, { runId }, 'host-1', 'worker-2')).toMatchObject({ epoch: 1 });
  thawed.resolve();
  // As the driver noticed it.
  expect(outageReason(await ended)).toMatch(/^(?:25P03|CONNECTION_CLOSED)$/);
  expect(await store.leases.acquire(sessionId, { runId, activityId: '2' }, 'host-1', 'worker-2')).toMatchObject({
    epoch: 2,
  });
  await sql.end({ timeout: 1 });
}, 60_000);

test('a request that a host took before it was entered does not wait', async () => {
  const sessionId = await aSession(store, { runId });
  await store.leases.acquire(sessionId, { runId }, 'host-1', 'worker-1', 'request-1');
  const wait = (requestId: string) => store.browserRequests.wait({ sessionId, requestId, priority: 1, since: at(0) });
  expect(await wait('request-1')).toBeNull();
  expect(await store.leases.get(sessionId)).toMatchObject({ hostId: 'host-1' });
  // The next one is: the browser of the lease before was lost, and its keeper may end it.
  expect(await wait('request-2')).toBe(1);
  expect(await store.leases.get(sessionId)).toBeNull();
});

test('of many starts at once only as many get in as may be open, and who is in already always does', async () => {
  const { plan } = (await store.sessions.get(await aSession(store, { runId })))!;
  const { total } = await store.sessions.list({ page: 1, pageSize: 1 });
  const limit = total + 3;
  const ids = Array.from({ length: 10 }, () => randomUUID());
  const create = (id: string) => store.sessions.create({ sessionId: id, workflowId: id, plan }, limit);
  const answers = await Promise.all(ids.map(create));
  const inside = ids.filter((_, index) => answers[index] !== null);
  expect(inside.length).toBeGreaterThanOrEqual(3);
  expect(inside.length).toBeLessThan(10);
  expect(await create(inside[0]!)).toMatchObject({ isNew: false });
  expect(await create(randomUUID())).toBeNull();
});
