import postgres from 'postgres';
import type { PageRequest } from '../../../store/batches/rows-to-start';
import type { NewBatch } from '../../../store/batches/batches';
import type { Store } from '../../../store/store';
import { StreamEventType } from '../../../contracts/events/stream-event';
import { SessionStatus } from '../../../contracts/sessions/session';
import { aPlan, aRecord } from '../../support/builders';
import { eventually } from '../../support/eventually';
import type { TestStack } from '../../support/stack';
import { useStoreSession } from '../../support/store-session';

const LIMIT = 20;
const anEnd = { endedAt: expect.any(Date) as Date, position: expect.any(Number) as number };
const KEEP = { sessionDays: 30, tombstoneDays: 365 };

let stack: TestStack;
let store: Store;
let next = 0;
useStoreSession((ready) => ({ stack, store } = ready));

async function aBatch(count: number, concurrency: number, change: Partial<NewBatch> = {}): Promise<string> {
  const batchId = `batch-${(next += 1)}`;
  const rows = Array.from({ length: count }, (_, index) => ({ variables: { invoice: `i-${index + 1}` } }));
  const batch = { batchId, tenant: 'default', requestHash: 'hash', columns: ['invoice'], rows, concurrency, ...change };
  expect(await store.batches.create({ ...batch, request: { steps: ['look'] }, isPaused: false })).toBe(true);
  return batchId;
}

const take = (batchId: string, change: Partial<PageRequest> = {}) =>
  store.batches.pages.take({ batchId, runId: 'run', page: 0, limit: LIMIT, ended: [], isCancelled: false, ...change });

async function taken(batchId: string, change: Partial<PageRequest> = {}): Promise<string[]> {
  return (await take(batchId, change))!.rows.map(({ workflowId }) => workflowId);
}

/** Begins the session of a row, as its workflow does. */
async function begin(batchId: string, row: number): Promise<string> {
  const [found] = await store.batches.rows.list(batchId, { after: row - 1, limit: 1 });
  const sessionId = found!.sessionId!;
  await store.sessions.create({ sessionId, workflowId: `${batchId}:${row}`, plan: aPlan() });
  await store.sessions.assignRun(sessionId, sessionId, undefined);
  await store.log.append(sessionId, [], { patch: { status: SessionStatus.ACTIVE } });
  return sessionId;
}

const end = (sessionId: string, status: SessionStatus.COMPLETED | SessionStatus.FAILED, message = '') =>
  store.log.append(sessionId, message === '' ? [] : [doneBefore(message)], {
    guard: { runId: sessionId },
    patch: { status, closed: true },
  });

const doneBefore = (message: string) =>
  aRecord('done-before', {
    type: StreamEventType.WARNING_ISSUED,
    data: { warning: { id: 'w', timestamp: new Date(), code: 'SP001', message, details: { once: 'already-done' } } },
  });

const rowStates = async (batchId: string) => (await store.batches.rows.list(batchId, {})).map(({ state }) => state);

test('a page that is asked for again has the same rows, and the next one has others', async () => {
  const batch = await aBatch(5, 3);
  const first = [1, 2, 3].map((row) => `${batch}:${row}`);
  expect(await taken(batch)).toEqual(first);
  expect(await taken(batch)).toEqual(first);
  expect(await taken(batch, { page: 1 })).toEqual([]);
  await end(await begin(batch, 2), SessionStatus.COMPLETED);
  expect(await taken(batch, { page: 2 })).toEqual([`${batch}:4`]);
});

test('rows that a run took and did not start come again to the next run, under the same ids', async () => {
  const batch = await aBatch(3, 2);
  expect(await taken(batch)).toHaveLength(2);
  await begin(batch, 1);
  expect(await taken(batch, { runId: 'next' })).toEqual([`${batch}:2`]);
  expect(await taken(batch, { runId: 'next', page: 1 })).toEqual([]);
});

test('the end of a session is the end of its row, which a worker is to signal until it is noticed', async () => {
  const batch = await aBatch(3, 3);
  await taken(batch);
  const sessions = [await begin(batch, 1), await begin(batch, 2), await begin(batch, 3)];
  const changed = async () => (await store.batches.takeChanged(50)).filter(({ batchId }) => batchId === batch);
  expect(await changed()).toEqual([]);
  await end(sessions[0]!, SessionStatus.COMPLETED);
  await end(sessions[1]!, SessionStatus.COMPLETED, 'Already done: “a” was done by session b.');
  await end(sessions[2]!, SessionStatus.FAILED);
  expect(await changed()).toEqual([{ batchId: batch, isAsked: false }]);
  // Another worker has just signalled.
  expect(await changed()).toEqual([]);
  expect(await rowStates(batch)).toEqual(['completed', 'already-done', 'failed']);
  const [, second] = await store.batches.rows.list(batch, {});
  expect(second!.reason).toBe('Already done: “a” was done by session b.');
  expect(await take(batch, { page: 1 })).toMatchObject({ state: 'completed', rows: [] });
  expect(await changed()).toEqual([]);
});

test('rows are followed in the order of their ends, also where one commits late', async () => {
  const batch = await aBatch(4, 4);
  await taken(batch);
  const sessions = await Promise.all([1, 2, 3, 4].map((row) => begin(batch, row)));
  const after = async (endedAfter: number) =>
    (await store.batches.rows.list(batch, { endedAfter })).map(({ row, position }) => ({ row, position: position! }));
  await end(sessions[2]!, SessionStatus.COMPLETED);
  const sql = postgres(stack.databaseUrl, { max: 1 });
  const held = await sql.reserve();
  await held`begin`;
  await held`update sessions set closed = true, status = 'COMPLETED' where session_id = ${sessions[0]!}`;
  // It has ended, and is not committed: the next end waits for its number.
  const next = end(sessions[1]!, SessionStatus.FAILED);
  const waiting = async () => (await sql2`select from pg_stat_activity where wait_event_type = 'Lock'`).count > 0;
  const sql2 = postgres(stack.databaseUrl, { max: 1 });
  await eventually('the second end waits', waiting);
  const [first, ...none] = await after(0);
  expect([first!.row, none]).toEqual([3, []]);
  await held`commit`;
  held.release();
  await next;
  const rest = await after(first!.position);
  expect(rest.map(({ row }) => row)).toEqual([1, 2]);
  expect(await store.batches.retry(batch)).toMatchObject({ retried: 1 });
  expect((await after(0)).map(({ row }) => row)).toEqual([3, 1]);
  await Promise.all([sql.end(), sql2.end()]);
});

test('at an origin as many rows of a tenant are open as a batch allows; another batch waits for one', async () => {
  const rows = ['a', 'a', 'a', 'b', 'a', 'b', 'c'].map((site) => ({
    variables: {},
    origin: `https://${site}.example`,
  }));
  const limits = { tenant: 'origins', originConcurrency: 2, rows };
  const [one, two, elsewhere] = [
    await aBatch(7, 10, limits),
    await aBatch(7, 10, limits),
    await aBatch(7, 10, { ...limits, tenant: 'other' }),
  ];
  const rowsOf = async (batchId: string, page = 0) => (await take(batchId, { page }))!.rows.map(({ row }) => row);
  expect([await rowsOf(one), await rowsOf(two), await rowsOf(elsewhere)]).toEqual([
    [1, 2, 4, 6, 7],
    [7],
    [1, 2, 4, 6, 7],
  ]);
  const changed = async () =>
    (await store.batches.takeChanged(50)).map(({ batchId }) => batchId).filter((id) => id === two);
  expect(await changed()).toEqual([]);
  await end(await begin(one, 4), SessionStatus.COMPLETED);
  expect(await changed()).toEqual([two]);
  expect([await rowsOf(two, 1), await rowsOf(one, 1)]).toEqual([[4], []]);
});

test('a row whose workflow ended before its session began has failed, or is cancelled with its batch', async () => {
  const batch = await aBatch(3, 1);
  await taken(batch);
  expect(await take(batch, { page: 1, ended: [`${batch}:1`] })).toMatchObject({ rows: [{ row: 2 }] });
  expect(await store.batches.cancel(batch)).toEqual({ kind: 'changed' });
  expect(await take(batch, { page: 2 })).toMatchObject({ state: 'cancelling', toCancel: [`${batch}:2`] });
  expect(await take(batch, { page: 3, ended: [`${batch}:2`] })).toMatchObject({ state: 'cancelled', toCancel: [] });
  expect(await rowStates(batch)).toEqual(['failed', 'cancelled', 'cancelled']);
  expect(await store.batches.retry(batch)).toEqual({ kind: 'changed', retried: 3 });
  // The third was never begun: its first attempt is still to come.
  expect(await taken(batch, { page: 4 })).toEqual([`${batch}:1:2`]);
  expect((await store.batches.rows.list(batch, {})).map(({ attempt }) => attempt)).toEqual([2, 2, 1]);
});

test('a batch that ends with failed rows is reported once to each address, and again when a retry fails', async () => {
  const report = { mail: ['a@acme.test', 'b@acme.test'] };
  const [good, bad] = [await aBatch(1, 1, { report }), await aBatch(2, 2, { report })];
  for (const batch of [good, bad]) await taken(batch);
  await end(await begin(good, 1), SessionStatus.COMPLETED);
  await end(await begin(bad, 1), SessionStatus.COMPLETED);
  const mailsOf = async (batch: string) =>
    (await store.batches.get(batch))!.mails.map(({ to, status }) => [to, status]);
  const failed = await begin(bad, 2);
  await end(failed, SessionStatus.FAILED);
  expect(await mailsOf(bad)).toEqual([]);
  for (const page of [1, 2]) for (const batch of [good, bad]) await taken(batch, { page });
  expect([await mailsOf(good), await store.webhooks.mails(failed)]).toEqual([[], []]);
  const pending = report.mail.map((to) => [to, 'pending']);
  expect(await mailsOf(bad)).toEqual(pending);
  const [first] = (await store.webhooks.toStart(1000)).filter((id) => id.startsWith(`batch:${bad}-`));
  expect(await store.webhooks.get(first!)).toMatchObject({ batchId: bad, sessionId: null, recipient: 'a@acme.test' });
  await store.webhooks.endAttempt(first!, { status: 'delivered', warning: null });
  // What was not sent yet would say what is no longer so.
  await store.batches.retry(bad);
  expect(await mailsOf(bad)).toEqual([['a@acme.test', 'delivered']]);
  await taken(bad, { page: 3 });
  await taken(bad, { page: 4, ended: [`${bad}:2:2`] });
  expect(await mailsOf(bad)).toEqual([['a@acme.test', 'delivered'], ...pending]);
});

test('an erased session leaves nothing of its row but the end, and an expired batch leaves its id', async () => {
  const batch = await aBatch(1, 1);
  await taken(batch);
  const session = await begin(batch, 1);
  await end(session, SessionStatus.COMPLETED);
  await taken(batch, { page: 1 });
  expect(await store.retention.erase(session)).toMatchObject({ kind: 'erased' });
  expect(await store.batches.rows.list(batch, {})).toEqual([
    { row: 1, state: 'completed', variables: {}, sessionId: session, attempt: 1, ...anEnd },
  ]);
  expect(await store.batches.expire(KEEP)).toBe(0);
  const sql = postgres(stack.databaseUrl, { max: 1 });
  await sql`update batches set ended_at = ended_at - interval '31 days' where batch_id = ${batch}`;
  await sql.end();
  expect(await store.batches.expire(KEEP)).toBe(1);
  expect([await store.batches.get(batch), await store.batches.rows.list(batch, {})]).toEqual([null, []]);
  const again = { batchId: batch, tenant: 'default', requestHash: 'hash', columns: [], rows: [], concurrency: 1 };
  expect(await store.batches.create({ ...again, request: { steps: ['look'] }, isPaused: false })).toBe(false);
});
