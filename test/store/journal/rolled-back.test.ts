import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { StreamEventType } from '../../../contracts/events/stream-event';
import { StepStatus } from '../../../contracts/steps/step-result';
import { SessionStatus } from '../../../contracts/sessions/session';
import { standardError } from '../../../contracts/errors/standard-error';
import { createIntentWitness } from '../../../store/journal/intent-witness';
import type { CommandIntent } from '../../../store/journal/intent';
import { closeSession, completeForgotten } from '../../../store/endings/close-session';
import { openStore, type Store } from '../../../store/store';
import { aRecord, aSession } from '../../support/builders';
import { takeSnapshot } from '../../support/put-back';
import type { TestStack } from '../../support/stack';
import { anIntent, RUN_ID, useStoreSession } from '../../support/store-session';

const runId = RUN_ID;
let stack: TestStack;
let store: Store;
let sessionId: string;
useStoreSession((ready) => ({ stack, store, sessionId } = ready));

const intend = (commandId: string, change: Partial<CommandIntent> = {}, from = store) =>
  from.journal.intend(sessionId, { runId }, anIntent(commandId, change), []);
const finish = (commandId: string, guard = {}) =>
  store.journal.finish(
    sessionId,
    { runId, ...guard },
    { commandId, status: 'done', response: { success: true, commandId, screenshotId: '', duration: 1 } },
    [],
  );
const forgottenIds = async (from = store) =>
  (await from.journal.forgotten(sessionId)).map(({ intent }) => intent.commandId);
const notesFile = () => join(stack.home, 'witness', `${sessionId}.jsonl`);

test('a database that is put back lacks what its host has noted, and takes no further intent', async () => {
  await intend('c1');
  const snapshot = await takeSnapshot(stack.databaseUrl, sessionId);
  await intend('c2');
  await intend('c3', { effect: 'idempotent' });
  expect(await forgottenIds()).toEqual([]);
  await snapshot.putBack();
  expect(await forgottenIds()).toEqual(['c2', 'c3']);
  await expect(intend('c4')).rejects.toMatchObject({ reason: 'behind', message: expect.stringContaining('c3') });
  expect((await store.journal.ofSession(sessionId)).map(({ commandId }) => commandId)).toEqual(['c1']);
});

test('an outcome for a command that the database has forgotten is refused, and not dropped', async () => {
  const snapshot = await takeSnapshot(stack.databaseUrl, sessionId);
  await intend('c1');
  await snapshot.putBack();
  await expect(finish('c1')).rejects.toMatchObject({ reason: 'behind' });
});

test('a process that starts later finds the notes of one that is gone, also behind a line that was cut', async () => {
  const snapshot = await takeSnapshot(stack.databaseUrl, sessionId);
  await intend('c1');
  appendFileSync(notesFile(), '{"kind":"intent","intent":{"comma');
  await intend('c2');
  await snapshot.putBack();
  const later = await openStore({ databaseUrl: stack.databaseUrl, home: stack.home });
  expect(await forgottenIds(later)).toEqual(['c1', 'c2']);
  await expect(intend('c3', {}, later)).rejects.toMatchObject({ reason: 'behind' });
  await later.close();
});

test('what is recalled has an entry that stays, and the session goes on behind it', async () => {
  const snapshot = await takeSnapshot(stack.databaseUrl, sessionId);
  await intend('c1');
  const [noted] = await forgottenAfter(snapshot);
  const recalled = { intent: noted!.intent, intendedAt: noted!.at, epoch: 4, status: 'unknown' as const };
  for (const _ of [1, 2])
    await store.journal.recall(sessionId, { runId }, [recalled], () => [aRecord('recalled')], noted!);
  expect(await store.journal.ofSession(sessionId)).toMatchObject([
    { commandId: 'c1', status: 'unknown', attempts: 1, intendedAt: new Date(noted!.at) },
  ]);
  expect(await forgottenIds()).toEqual([]);
  expect((await store.sessions.get(sessionId))?.epoch).toBe(4);
  await finish('c1');
  expect(await store.journal.ofSession(sessionId)).toMatchObject([{ commandId: 'c1', status: 'unknown' }]);
  await intend('c2');
});

async function forgottenAfter(snapshot: { putBack(): Promise<void> }) {
  await snapshot.putBack();
  return await store.journal.forgotten(sessionId);
}

test('a worker of a forgotten lease writes nothing, and no other worker gets its epoch', async () => {
  const snapshot = await takeSnapshot(stack.databaseUrl, sessionId);
  const { epoch } = await store.leases.acquire(sessionId, { runId }, 'host', 'one');
  await snapshot.putBack();
  const guard = { runId, epoch };
  await expect(store.log.append(sessionId, [aRecord('late')], { guard })).rejects.toMatchObject({ reason: 'behind' });
  expect((await store.leases.acquire(sessionId, { runId }, 'host', 'two')).epoch).toBe(epoch + 1);
  await expect(store.log.append(sessionId, [], { guard })).rejects.toMatchObject({ reason: 'stale-epoch' });
});

test('a host without notes of its own takes the newest epoch that its caller knows of', async () => {
  const { epoch } = await store.leases.acquire(sessionId, { runId, knownEpoch: 7 }, 'other host', 'one');
  expect(epoch).toBe(8);
});

test('no commit acts whose note can not be written', async () => {
  await intend('c1');
  const full = createIntentWitness(join(notesFile(), 'no folder'));
  const note = { kind: 'intent', intent: anIntent('c2'), epoch: 1, seq: 1, at: new Date().toISOString() } as const;
  await expect(full.note(sessionId, note)).rejects.toThrow(/`witness` in SUREFOOT_HOME can't be written \(E/);
});

test('notes of a session are removed with it', async () => {
  await intend('c1');
  expect(readFileSync(notesFile(), 'utf8')).toContain('c1');
  expect((await store.witness.list()).map((each) => each.sessionId)).toContain(sessionId);
  await store.witness.remove(sessionId);
  expect((await store.witness.list()).map((each) => each.sessionId)).not.toContain(sessionId);
  expect(await forgottenIds()).toEqual([]);
});

test('a session whose workflow is lost is not to be started again where it has placed orders', async () => {
  await intend('c1', { stepIndex: 2 });
  await finish('c1');
  await intend('c2', { stepIndex: 3 });
  const error = standardError({ id: 'e', timestamp: new Date(), code: 'SP002', message: 'Temporal has forgotten it.' });
  await closeSession(store, sessionId, { status: SessionStatus.FAILED, error });
  const advice = (await store.sessions.get(sessionId))!.error!.suggestedAction!;
  expect(advice).toMatch(/^It had done 1 command that is not taken back: CLICK_ELEMENT .*Place order.* \(step 3\)\./);
  expect(advice).toMatch(/Of 1 command that is not taken back: .*\(step 4\) nobody knows whether it happened/);
  expect(advice).toContain(`npx surefoot fork ${sessionId} --from-step 5`);
  expect(advice).toContain('a second time');
});

test('a session that Temporal has as completed is completed in a database that has forgotten its end', async () => {
  for (const status of [SessionStatus.ACTIVE, SessionStatus.PAUSED]) {
    const own = await aSession(store, { runId, isActive: true });
    const step = { stepIndex: 0, stepContent: 'Buy a bean', status: StepStatus.IN_PROGRESS };
    const begun = aRecord('begun', { type: StreamEventType.STEP_STARTED, stepIndex: 0, data: { step } });
    await store.log.append(own, [begun], { guard: { runId }, patch: { status } });
    // Two workers may find it at once.
    await Promise.all([1, 2].map(() => completeForgotten(store, { sessionId: own, status })));
    expect(await store.sessions.get(own)).toMatchObject({ status: 'COMPLETED', closed: true, error: null });
    const log = await store.log.read(own, 0, 10);
    expect(log.map(({ type }) => type)).toEqual([
      'STEP_STARTED',
      'STEP_COMPLETED',
      'SESSION_STATUS',
      'WORKFLOW_COMPLETED',
    ]);
    expect(log.at(-1)?.data.message).toContain('had forgotten the end of it');
  }
});
