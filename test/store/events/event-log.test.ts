import type { RowPatch } from '../../../contracts/events/outbox';
import type { StandardError } from '../../../contracts/errors/standard-error';
import { StreamEventType } from '../../../contracts/events/stream-event';
import { SessionStatus } from '../../../contracts/sessions/session';
import type { WaitingFor } from '../../../contracts/approvals/waiting-for';
import type { StoreRefusal } from '../../../store/database/refusals';
import type { Store } from '../../../store/store';
import { aRecord, aSession } from '../../support/builders';
import { startTestStack, type TestStack } from '../../support/stack';

let stack: TestStack;
let store: Store;

beforeAll(async () => {
  stack = await startTestStack({ parts: ['postgres'] });
  store = await stack.store();
});
afterAll(() => stack.stop());

async function reasonOf(work: Promise<unknown>): Promise<string> {
  return await work.then(
    () => 'accepted',
    (error: StoreRefusal) => error.reason,
  );
}

const idsOf = async (sessionId: string): Promise<string[]> =>
  (await store.log.read(sessionId, 0, 10_000)).map((record) => record.eventId);

test('a record comes back as it was written, with its number and the session it belongs to', async () => {
  const sessionId = await aSession(store);
  const record = aRecord('run/1', { type: StreamEventType.AI_REASONING, stepIndex: 2, turn: 1, attempt: 3 });
  expect(await store.log.append(sessionId, [record, aRecord('run/2')])).toBe(2);
  const [first, second] = await store.log.read(sessionId, 0, 10);
  expect(first).toEqual({ ...record, sessionId, seq: 1 });
  expect(second).toMatchObject({ eventId: 'run/2', seq: 2 });
  expect(second).not.toHaveProperty('stepIndex');
  expect(await store.log.read(sessionId, 1, 10)).toEqual([second]);
});

test('16 writers at once leave no gap, and the numbers follow the order in which they were committed', async () => {
  const sessionId = await aSession(store);
  const answers: number[] = [];
  const write = async (writer: number): Promise<void> => {
    for (let n = 0; n < 12; n += 1) {
      const before = answers.length;
      const last = await store.log.append(sessionId, [aRecord(`${writer}/${n}/a`), aRecord(`${writer}/${n}/b`)]);
      // Whatever was acknowledged before this append began has a smaller number.
      expect(Math.max(0, ...answers.slice(0, before))).toBeLessThan(last - 1);
      answers.push(last);
    }
  };
  await Promise.all(Array.from({ length: 16 }, (_, writer) => write(writer)));

  const log = await store.log.read(sessionId, 0, 1000);
  expect(log.map((record) => record.seq)).toEqual(Array.from({ length: 384 }, (_, index) => index + 1));
  for (let writer = 0; writer < 16; writer += 1) {
    const own = log.filter((record) => record.eventId.startsWith(`${writer}/`)).map((record) => record.eventId);
    expect(own).toEqual(Array.from({ length: 12 }, (_, n) => [`${writer}/${n}/a`, `${writer}/${n}/b`]).flat());
  }
});

test('the same records from many writers at once are in the log once', async () => {
  const sessionId = await aSession(store);
  const records = Array.from({ length: 5 }, (_, n) => aRecord(`run/${n}`));
  const answers = await Promise.all(Array.from({ length: 16 }, () => store.log.append(sessionId, records)));
  expect(new Set(answers)).toEqual(new Set([5]));
  expect(await idsOf(sessionId)).toEqual(records.map((record) => record.eventId));
});

test('an append that is partly known adds only what is new, in its order', async () => {
  const sessionId = await aSession(store);
  await store.log.append(sessionId, [aRecord('b')]);
  await store.log.append(sessionId, [aRecord('a'), aRecord('b'), aRecord('c')]);
  expect(await idsOf(sessionId)).toEqual(['b', 'a', 'c']);
});

test('the row changes together with the records, and only where the patch says so', async () => {
  const sessionId = await aSession(store, { isActive: true });
  const error = { code: 'TL004', message: 'm' } as StandardError;
  await store.log.append(sessionId, [aRecord('1')], {
    patch: { status: SessionStatus.PAUSED, paused: true, currentStep: 4, error },
  });
  expect(await store.sessions.get(sessionId)).toMatchObject({
    status: 'PAUSED',
    paused: true,
    closed: false,
    currentStep: 4,
    error,
    lastSeq: 1,
  });
  await store.log.append(sessionId, [], { patch: { paused: false } });
  expect(await store.sessions.get(sessionId)).toMatchObject({ status: 'PAUSED', paused: false, currentStep: 4 });
});

test('a stale patch changes nothing that a newer one of its run has changed, and its records are known', async () => {
  const sessionId = await aSession(store, { runId: 'run-1', isActive: true });
  const waitingFor = { kind: 'budget' } as unknown as WaitingFor;
  const asked = { status: SessionStatus.PAUSED, paused: true, waitingFor, number: 3 };
  const append = (id: string, patch: RowPatch, runId = 'run-1') =>
    store.log.append(sessionId, [aRecord(id)], { guard: { runId }, patch });
  await append('asked', asked);
  expect(await store.sessions.get(sessionId)).toMatchObject({ status: 'PAUSED', waitingFor });
  await append('answered', { status: SessionStatus.ACTIVE, paused: false, waitingFor: null, number: 4 });
  expect(await append('asked', asked)).toBe(2);
  const row = await store.sessions.get(sessionId);
  expect(row).toMatchObject({ status: 'ACTIVE', paused: false, waitingFor: null });
  expect(await append('asked', { ...asked, number: 5 })).toBe(2);
  expect(await store.sessions.get(sessionId)).toMatchObject({ status: 'PAUSED', paused: true, waitingFor });

  // The next run counts anew.
  await store.sessions.assignRun(sessionId, 'run-2', 'run-1');
  await append('2/1', { status: SessionStatus.ACTIVE, paused: false, number: 1 }, 'run-2');
  expect(await store.sessions.get(sessionId)).toMatchObject({ status: 'ACTIVE', paused: false });
});

test('a refused append writes nothing, and names its reason', async () => {
  const runId = 'run-1';
  const sessionId = await aSession(store, { runId });
  const append = (guard: { runId?: string; epoch?: number }) => store.log.append(sessionId, [aRecord('1')], { guard });
  expect(await reasonOf(append({ runId: 'run-2' }))).toBe('superseded');
  expect(await reasonOf(append({ runId, epoch: -1 }))).toBe('stale-epoch');
  expect(await reasonOf(store.log.append('no-such-session', [aRecord('1')]))).toBe('unknown-session');
  expect(await idsOf(sessionId)).toEqual([]);
  expect(await reasonOf(append({ runId, epoch: 0 }))).toBe('accepted');
});

test('[S1.A30] a closed log takes no new records, and accepts known ones again', async () => {
  const sessionId = await aSession(store, { isActive: true });
  const end = aRecord('end', { type: StreamEventType.WORKFLOW_COMPLETED });
  await store.log.append(sessionId, [aRecord('1'), end], { patch: { status: SessionStatus.COMPLETED, closed: true } });
  expect(await reasonOf(store.log.append(sessionId, [aRecord('2')]))).toBe('closed');
  expect(await reasonOf(store.log.append(sessionId, [end, aRecord('2')]))).toBe('closed');
  expect(await store.log.append(sessionId, [aRecord('1'), end], { patch: { status: SessionStatus.FAILED } })).toBe(2);
  expect(await idsOf(sessionId)).toEqual(['1', 'end']);
  expect(await store.sessions.get(sessionId)).toMatchObject({ status: 'COMPLETED', lastSeq: 2 });
});

test('[S1.R12] a module can not publish what belongs to another', async () => {
  const sessionId = await aSession(store);
  const record = aRecord('1', { type: StreamEventType.COMMAND_STARTED, owner: 'executor' });
  await expect(store.log.append(sessionId, [record])).rejects.toThrow(/COMMAND_STARTED .* task-loop, not by executor/);
  expect(await idsOf(sessionId)).toEqual([]);
});
