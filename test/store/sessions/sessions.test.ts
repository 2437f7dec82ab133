import { randomUUID } from 'node:crypto';
import postgres from 'postgres';
import { SessionStatus } from '../../../contracts/sessions/session';
import { sessionIdFromKey, sessionIdOf } from '../../../store/sessions/session-id';
import type { Store } from '../../../store/store';
import { aPlan, aRecord, aSession } from '../../support/builders';
import { startTestStack, type TestStack } from '../../support/stack';

let stack: TestStack;
let store: Store;

beforeAll(async () => {
  stack = await startTestStack({ parts: ['postgres'] });
  store = await stack.store();
});
afterAll(() => stack.stop());

test('concurrent starts of one workflow get one row, created by exactly one of them', async () => {
  const workflowId = 'checkout nightly';
  const sessionId = sessionIdOf(workflowId);
  const plan = aPlan({ steps: ['a'], variables: { user: 'ada', password: { env: 'SHOP_PASSWORD' } } });
  const created = await Promise.all(
    Array.from({ length: 8 }, () => store.sessions.create({ sessionId, workflowId, plan })),
  );
  expect(created.filter(({ isNew }) => isNew)).toHaveLength(1);
  expect(new Set(created.map(({ row }) => row.executorSessionId)).size).toBe(1);
  expect(created[0]?.row).toMatchObject({
    sessionId,
    workflowId,
    runId: null,
    status: 'INITIALIZING',
    paused: false,
    closed: false,
    lastSeq: 0,
    epoch: 0,
    aiConnectionId: 'default',
    plan,
  });
  expect(await store.variables.ofSession(sessionId)).toMatchObject([
    { name: 'password', value: null, env: 'SHOP_PASSWORD', source: 'user_input' },
    { name: 'user', value: 'ada', env: null },
  ]);
});

test('what parallel steps have saved is their session’s, and of one name what the later step has saved', async () => {
  const all = await aSession(store, {
    plan: aPlan({ steps: ['a', 'b'], variables: { user: 'ada', said: 'given' } }),
  });
  const steps = [
    await aSession(store, { plan: aPlan({ steps: ['a'], variables: { user: 'eve' } }) }),
    await aSession(store),
  ];
  const sql = postgres(stack.databaseUrl, { max: 1 });
  for (const [index, step] of steps.entries())
    await sql`
      insert into variables (session_id, name, value, source, step_index)
      values (${step}, 'said', ${`by ${index}`}, 'extracted', 0), (${step}, ${`only${index}`}, 'x', 'extracted', 0)`;
  await sql.end();
  // The later step ends first, and a look is repeated.
  for (const stepIndex of [1, 0, 0]) await store.variables.hand({ from: steps[stepIndex]!, to: all, stepIndex });
  const found = await store.variables.ofSession(all);
  expect(found.map(({ name, value, stepIndex }) => [name, value, stepIndex])).toEqual([
    ['only0', 'x', 0],
    ['only1', 'x', 1],
    ['said', 'by 1', 1],
    ['user', 'ada', null],
  ]);
});

test('a session is created with all of its variables or not at all', async () => {
  const sessionId = randomUUID();
  const plan = aPlan({ steps: ['a'], variables: { good: 'x', bad: { env: 'NAME' } } });
  // A value that the driver refuses stands for a worker that dies between the two writes.
  plan.variables['bad'] = { env: undefined as unknown as string };
  await expect(store.sessions.create({ sessionId, workflowId: sessionId, plan })).rejects.toThrow();
  expect(await store.sessions.get(sessionId)).toBeNull();
});

test('a session belongs to its first run, then to the one that continues from it, and to no other', async () => {
  const sessionId = await aSession(store);
  await store.sessions.assignRun(sessionId, 'run-1', undefined);
  await store.sessions.assignRun(sessionId, 'run-1', undefined);
  // A run that came out of a reset continues from nothing.
  await expect(store.sessions.assignRun(sessionId, 'reset', undefined)).rejects.toMatchObject({ reason: 'superseded' });
  await store.sessions.assignRun(sessionId, 'run-2', 'run-1');
  await store.sessions.assignRun(sessionId, 'run-2', 'run-1');
  await expect(store.sessions.assignRun(sessionId, 'run-1', undefined)).rejects.toMatchObject({ reason: 'superseded' });
  await expect(store.sessions.assignRun(sessionId, 'run-3', 'run-1')).rejects.toMatchObject({ reason: 'superseded' });
  expect(await store.sessions.get(sessionId)).toMatchObject({ runId: 'run-2' });
  await expect(store.sessions.assignRun(randomUUID(), 'run-1', undefined)).rejects.toMatchObject({
    reason: 'unknown-session',
  });
});

test('steps that are added twice at their place are there once', async () => {
  const sessionId = await aSession(store, { plan: aPlan({ steps: ['a', 'b'] }) });
  const [a, b, c, d, e] = aPlan({ steps: ['a', 'b', 'c', { instruction: 'd', maxIterations: 2 }, 'e'] }).steps;
  const steps = [c!, d!];
  await store.sessions.addSteps(sessionId, steps, 2);
  await store.sessions.addSteps(sessionId, steps, 2);
  await store.sessions.addSteps(sessionId, [e!], 4);
  const row = await store.sessions.get(sessionId);
  expect(row?.plan.steps).toEqual([a, b, ...steps, e]);
});

test('a plan is read anew where another process changed it, or another session has its id', async () => {
  const other = await stack.store();
  const sessionId = await aSession(store, { plan: aPlan({ steps: ['a'] }) });
  const instructions = async () =>
    (await store.sessions.get(sessionId))?.plan.steps.map(({ instruction }) => instruction);
  expect([await instructions(), await instructions()]).toEqual([['a'], ['a']]);
  await other.sessions.addSteps(sessionId, aPlan({ steps: ['b'] }).steps, 1);
  expect(await instructions()).toEqual(['a', 'b']);
  await other.sessions.configureAgent(sessionId, { maxSteps: 7 });
  expect((await store.sessions.get(sessionId))?.plan.config.agent.maxSteps).toBe(7);
  await other.sessions.removeUnstarted(sessionId);
  await other.sessions.create({ sessionId, workflowId: sessionId, plan: aPlan({ steps: ['c'] }) });
  expect(await instructions()).toEqual(['c']);
});

test('a repeated older addition does not take away what was added after it', async () => {
  const sessionId = await aSession(store, { plan: aPlan({ steps: ['a'] }) });
  const [b, c] = aPlan({ steps: ['b', 'c'] }).steps;
  await store.sessions.addSteps(sessionId, [b!], 1);
  await store.sessions.addSteps(sessionId, [c!], 2);
  await store.sessions.addSteps(sessionId, [b!], 1);
  const row = await store.sessions.get(sessionId);
  expect(row?.plan.steps.map((step) => step.instruction)).toEqual(['a', 'b', 'c']);
});

test('[S1.A22] sessions are listed newest first, in pages, and by status', async () => {
  const { total: before } = await store.sessions.list({ page: 1, pageSize: 1 });
  const ids: string[] = [];
  for (let n = 0; n < 5; n += 1) ids.unshift(await aSession(store));
  for (const id of ids.slice(0, 2)) await store.log.append(id, [], { patch: { status: SessionStatus.FAILED } });
  const idsOn = async (page: number, statuses?: SessionStatus[]) => {
    const found = await store.sessions.list({ page, pageSize: 3, ...(statuses === undefined ? {} : { statuses }) });
    return { total: found.total, ids: found.rows.map((row) => row.sessionId) };
  };
  expect(await idsOn(1)).toEqual({ total: before + 5, ids: ids.slice(0, 3) });
  expect((await idsOn(2)).ids.slice(0, 2)).toEqual(ids.slice(3));
  expect(await idsOn(99)).toEqual({ total: before + 5, ids: [] });
  expect(await idsOn(1, [SessionStatus.FAILED])).toEqual({ total: 2, ids: ids.slice(0, 2) });
  expect(await idsOn(1, [SessionStatus.CLEANUP])).toEqual({ total: 0, ids: [] });
});

test('an open session is looked at by one reconciler at a time, and a closed one by none', async () => {
  const open = await aSession(store);
  const closed = await aSession(store);
  await store.log.append(closed, [], { patch: { closed: true } });
  const taken = await Promise.all(Array.from({ length: 4 }, () => store.sessions.takeForCheck(100, 0)));
  const ids = taken.map((rows) => rows.map((row) => row.sessionId));
  expect(ids.flat()).toContain(open);
  expect(ids.flat()).not.toContain(closed);
  expect((await store.sessions.takeForCheck(100, 60_000)).map((row) => row.sessionId)).not.toContain(open);
});

test('a session id is the workflow id where that is a UUID, else always the same UUID of its name', () => {
  const id = randomUUID();
  expect(sessionIdOf(id)).toBe(id);
  expect(sessionIdOf(id.toUpperCase())).toBe(id);
  expect(sessionIdOf('checkout')).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(sessionIdOf('checkout')).toBe(sessionIdOf('checkout'));
  expect(sessionIdOf('checkout')).not.toBe(sessionIdOf('checkin'));
  expect(sessionIdFromKey('a', 'key')).toBe(sessionIdFromKey('a', 'key'));
  expect(sessionIdFromKey('a', 'key')).not.toBe(sessionIdFromKey('b', 'key'));
});

test('only a row that nothing was made of can be removed', async () => {
  const [unstarted, claimed, written] = [randomUUID(), randomUUID(), randomUUID()];
  for (const sessionId of [unstarted, claimed, written])
    await store.sessions.create({
      sessionId,
      workflowId: sessionId,
      plan: aPlan({ steps: ['a'], variables: { user: 'ada' } }),
    });
  await store.sessions.assignRun(claimed, 'run', undefined);
  await store.log.append(written, [aRecord('first')]);
  for (const sessionId of [unstarted, claimed, written]) await store.sessions.removeUnstarted(sessionId);
  const left = await Promise.all([unstarted, claimed, written].map((sessionId) => store.sessions.get(sessionId)));
  expect(left.map((row) => row?.sessionId)).toEqual([undefined, claimed, written]);
});
