import { StreamEventType } from '../../../contracts/events/stream-event';
import { SessionStatus } from '../../../contracts/sessions/session';
import { StoreRefusal } from '../../../store/database/refusals';
import { heldEffect } from '../../../store/effects/effects';
import type { CommandIntent, KeyClaim } from '../../../store/journal/intent';
import type { Outcome } from '../../../store/journal/journal';
import type { Store } from '../../../store/store';
import { aRecord, aSession } from '../../support/builders';
import { anObservedCommand } from '../../support/evidence';
import { takeSnapshot } from '../../support/put-back';
import type { TestStack } from '../../support/stack';
import { anIntent, RUN_ID, useStoreSession } from '../../support/store-session';

const { STEP_COMPLETED, STEP_FAILED } = StreamEventType;
const DAY_MS = 86_400_000;

let stack: TestStack;
let store: Store;
let sessionId: string;
let next = 0;
useStoreSession((ready) => ({ stack, store, sessionId } = ready));

const aKey = (): KeyClaim => ({
  key: `invoice-${(next += 1)}`,
  origin: 'https://bank.test',
  withinMs: DAY_MS,
  stepIndex: 0,
});

async function begin(session: string, once: KeyClaim, change: Partial<CommandIntent> = {}): Promise<void> {
  await store.journal.intend(session, { runId: RUN_ID, epoch: 0 }, anIntent('c1', { once, ...change }), []);
}

async function finish(
  session: string,
  requests: { method: string; url: string; status?: number }[],
  change: Partial<Outcome> = {},
) {
  const response = { success: true, commandId: 'c1', screenshotId: '', duration: 12 };
  const outcome = { commandId: 'c1', status: 'done' as const, response, evidence: anObservedCommand({ requests }) };
  await store.journal.finish(session, { runId: RUN_ID }, { ...outcome, ...change }, []);
}

async function endStep(session: string, type: typeof STEP_COMPLETED | typeof STEP_FAILED): Promise<void> {
  await store.log.append(session, [aRecord(`${session}/${type}`, { type, stepIndex: 0 })], {
    guard: { runId: RUN_ID },
  });
}

async function refusalOf(work: Promise<unknown>) {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof StoreRefusal)) throw new Error(`expected a refusal, got ${String(error)}`);
  return { reason: error.reason, held: heldEffect(error) };
}

const another = () => aSession(store, { runId: RUN_ID, isActive: true });
const POST = { method: 'POST', url: 'https://bank.test/pay', status: 302 };

test('a key is entered with the intent, and refused to another session with who holds it', async () => {
  const key = aKey();
  await begin(sessionId, key);
  await begin(sessionId, key);
  const other = await another();
  const { reason, held } = await refusalOf(begin(other, key));
  expect([reason, held]).toEqual([
    'key-held',
    expect.objectContaining({ sessionId, state: 'open', key: key.key, stepIndex: 0 }),
  ]);
  expect(await store.journal.ofSession(other)).toEqual([]);
  await begin(other, { ...key, origin: 'https://another.test' });

  await finish(sessionId, [POST]);
  await endStep(sessionId, STEP_COMPLETED);
  expect((await refusalOf(begin(other, key, { commandId: 'c2' }))).held).toMatchObject({
    state: 'done',
    evidence: [{ action: 'CLICK_ELEMENT', status: 'done', requests: [POST] }],
  });
});

test('of twenty sessions that come to a key at once, one has it', async () => {
  const key = aKey();
  const sessions = await Promise.all(Array.from({ length: 20 }, another));
  const begun = await Promise.allSettled(sessions.map((session) => begin(session, key)));
  expect(begun.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(await store.effects.list({ key: key.key })).toHaveLength(1);
});

test.each([
  { what: 'a server has taken a request', requests: [POST], state: 'unknown' },
  { what: 'a request has no answer', requests: [{ method: 'POST', url: 'https://bank.test/pay' }], state: 'unknown' },
  { what: 'the server has refused', requests: [{ ...POST, status: 422 }], state: 'released' },
  { what: 'the server has failed', requests: [{ ...POST, status: 503 }], state: 'released' },
  { what: 'the server gave its proxy no answer', requests: [{ ...POST, status: 502 }], state: 'unknown' },
  { what: 'the server was too slow for its gateway', requests: [{ ...POST, status: 504 }], state: 'unknown' },
  { what: 'a page was only read', requests: [{ ...POST, method: 'GET' }], state: 'released' },
])('a step that failed leaves its key $state where $what', async ({ requests, state }) => {
  const key = aKey();
  await begin(sessionId, key);
  await finish(sessionId, requests);
  await endStep(sessionId, STEP_FAILED);
  expect(await store.effects.list({ key: key.key })).toMatchObject([{ state, sessionId }]);
});

test('a commit that nobody saw end leaves its key unknown, whoever ends the session', async () => {
  const key = aKey();
  await begin(sessionId, key);
  await store.log.append(sessionId, [], {
    guard: { runId: RUN_ID },
    patch: { status: SessionStatus.FAILED, closed: true },
  });
  const { effectId, state } = (await store.effects.list({ session: sessionId }))[0]!;
  expect(state).toBe('unknown');
  const other = await another();
  expect((await refusalOf(begin(other, key))).held).toMatchObject({ state: 'unknown' });
  expect(await store.effects.settle(effectId, { state: 'released', reason: 'not on the statement', by: 'ops' })).toBe(
    true,
  );
  await begin(other, key);
  expect(await store.effects.list({ key: key.key })).toMatchObject([
    { state: 'open', sessionId: other },
    { state: 'released', reason: 'not on the statement', settledBy: 'ops' },
  ]);
});

test('what is under way is settled by nobody else', async () => {
  const key = aKey();
  await begin(sessionId, key);
  const { effectId } = (await store.effects.list({ key: key.key }))[0]!;
  expect(await store.effects.settle(effectId, { state: 'released', reason: 'impatience' })).toBe(false);
});

test('what was done longer ago than asked for may be done again', async () => {
  const key = aKey();
  await begin(sessionId, key);
  await finish(sessionId, [POST]);
  await endStep(sessionId, STEP_COMPLETED);
  const other = await another();
  await begin(other, { ...key, withinMs: 0 });
  expect(await store.effects.list({ key: key.key })).toMatchObject([
    { sessionId: other },
    { sessionId, state: 'released' },
  ]);
});

test('a key covers a whole session until that has ended, and outlives it when it is erased', async () => {
  const key = { ...aKey(), stepIndex: null };
  await begin(sessionId, key);
  await finish(sessionId, [POST]);
  await begin(sessionId, key, { commandId: 'c2', stepIndex: 1 });
  await endStep(sessionId, STEP_COMPLETED);
  expect(await store.effects.list({ key: key.key })).toMatchObject([{ state: 'open' }]);
  await store.log.append(sessionId, [], {
    guard: { runId: RUN_ID },
    patch: { status: SessionStatus.COMPLETED, closed: true },
  });
  expect(await store.effects.list({ key: key.key })).toMatchObject([{ state: 'done', evidence: [{}, {}] }]);
  await store.retention.erase(sessionId);
  expect(await store.effects.list({ key: key.key })).toMatchObject([{ state: 'done', title: '', evidence: [] }]);
});

test('a key that a restored database has forgotten is held for a person, by what the host has noted', async () => {
  const key = aKey();
  const snapshot = await takeSnapshot(stack.databaseUrl, sessionId);
  await begin(sessionId, key);
  await finish(sessionId, [POST]);
  await endStep(sessionId, STEP_COMPLETED);
  await snapshot.putBack();
  expect(await store.effects.list({ key: key.key })).toEqual([]);
  const other = await another();
  expect((await refusalOf(begin(other, key))).held).toMatchObject({ sessionId, state: 'unknown' });

  const [noted] = await store.journal.forgotten(sessionId);
  const recalled = { intent: noted!.intent, intendedAt: noted!.at, epoch: 1, status: 'unknown' as const };
  await store.journal.recall(sessionId, { runId: RUN_ID }, [recalled], () => [], noted!);
  expect(await store.effects.list({ key: key.key })).toMatchObject([{ sessionId, state: 'open' }]);
});
