import { randomUUID } from 'node:crypto';
import type { ReportedCommand } from '../../../activities/signatures/recovery-activities';
import { recoverSession } from '../../../activities/engine/sessions/recover-session';
import { writeOutbox } from '../../../activities/activity/write-outbox';
import { lostBefore } from '../../../contracts/events/log';
import type { KnownWrites, OutboxBatch } from '../../../contracts/events/outbox';
import { StepStatus } from '../../../contracts/steps/step-result';
import { SessionStatus } from '../../../contracts/sessions/session';
import type { Store } from '../../../store/store';
import { aPlan, aRecord, aSession } from '../../support/builders';
import { planned } from '../../support/fake-activities';
import { takeSnapshot, type Snapshot } from '../../support/put-back';
import type { TestStack } from '../../support/stack';
import { anIntent, RUN_ID, useStoreSession } from '../../support/store-session';

const runId = RUN_ID;
let stack: TestStack;
let store: Store;
let sessionId: string;
useStoreSession((ready) => ({ stack, store, sessionId } = ready));

const outbox = (change: Partial<OutboxBatch> = {}): OutboxBatch => ({
  records: [],
  patch: {},
  stepResults: [],
  ...change,
});
const write = (known: KnownWrites, change: Partial<OutboxBatch> = {}) =>
  writeOutbox(store, sessionId, runId, outbox({ known, ...change }));
const intend = (commandId: string) => store.journal.intend(sessionId, { runId }, anIntent(commandId), []);
const behind = expect.objectContaining({ reason: 'behind' });

function reported(commandId: string, change: Partial<ReportedCommand> = {}): ReportedCommand {
  return { stepIndex: 0, turn: 0, position: 0, command: planned(commandId), status: 'done', ...change };
}

async function recover(commands: ReportedCommand[], change: Partial<OutboxBatch> = {}, stepIndex = 0) {
  const input = { sessionId, plan: aPlan(), stepIndex, epoch: 3, commands, outbox: outbox(change) };
  return await recoverSession({ store }, input, { workflowId: sessionId, runId });
}

/** Has the database forget whatever the work wrote. */
async function forgetting(work: () => Promise<unknown>, before: () => Promise<Snapshot> = snapshot): Promise<void> {
  const kept = await before();
  await work();
  await kept.putBack();
}
const snapshot = () => takeSnapshot(stack.databaseUrl, sessionId);

test('a write of a workflow is refused where its last record is missing, also one that writes nothing', async () => {
  await forgetting(() => store.log.append(sessionId, [aRecord('r1')], { guard: { runId } }));
  await expect(write({ recordId: 'r1' })).rejects.toEqual(behind);
  await expect(write({ recordId: 'r1' }, { records: [aRecord('r2')] })).rejects.toEqual(behind);
  expect(await store.log.read(sessionId, 0, 10)).toEqual([]);
});

test('a write of a workflow is refused where a command that was reported to it is missing', async () => {
  await intend('c1');
  await write({ commandId: 'c1' });
  await forgetting(() => intend('c2'));
  await expect(write({ commandId: 'c2' })).rejects.toEqual(behind);
});

test('a database put back to before a session or its run is behind, and not another owner', async () => {
  const unopened = await aSession(store);
  const guard = { runId: 'run-2', continuedFrom: 'run-1' };
  for (const id of [unopened, sessionId]) await expect(store.log.append(id, [], { guard })).rejects.toEqual(behind);
  await expect(store.log.append(sessionId, [], { guard: { runId: 'reset' } })).rejects.toMatchObject({
    reason: 'superseded',
  });
});

test('a session whose row is gone has it again, with the records that its workflow has kept', async () => {
  const gone = randomUUID();
  sessionId = gone;
  const unknown = { reason: 'unknown-session' };
  await expect(write({ recordId: 'r1' })).rejects.toMatchObject(unknown);
  const page = { screenshotId: 'shot', url: 'https://shop.test/' };
  const step = { stepIndex: 0, status: StepStatus.COMPLETED, reasoning: '', durationMs: 1, page };
  await expect(write({}, { stepResults: [step] })).rejects.toMatchObject(unknown);
  const patch = { status: SessionStatus.PAUSED, paused: true, currentStep: 1 };
  expect(await recover([], { records: [aRecord('r1')], patch })).toEqual({ forgotten: [] });
  expect(await store.sessions.get(gone)).toMatchObject({
    status: 'PAUSED',
    paused: true,
    runId,
    currentStep: 1,
    epoch: 3,
  });
  const log = await store.log.read(gone, 0, 10);
  expect(log.map(({ eventId }) => eventId)).toEqual([expect.stringContaining('recovered'), 'r1']);
  expect(lostBefore(log[0]!)).toEqual({ lostFrom: 1, lostTo: log[0]!.seq - 1 });
  await write({ recordId: 'r1' });
});

test('a forgotten commit of the current step becomes unknown, one of an earlier step keeps its outcome', async () => {
  const commands = [
    reported('earlier', { stepIndex: 0 }),
    reported('typed', { stepIndex: 1, command: planned('typed', 'INPUT_TEXT') }),
    reported('current', { stepIndex: 1, turn: 1 }),
  ];
  expect(await recover(commands, {}, 1)).toEqual({ forgotten: ['earlier', 'current'] });
  expect(await store.journal.ofSession(sessionId)).toMatchObject([
    { commandId: 'earlier', status: 'done' },
    { commandId: 'typed', status: 'done' },
    {
      commandId: 'current',
      status: 'unknown',
      evidence: { kind: 'forgotten', witnesses: expect.stringContaining('history has it as done') },
    },
  ]);
  // A second attempt enters nothing again.
  expect(await recover(commands, {}, 1)).toEqual({ forgotten: [] });
});

test('what the database has kept stays as it is', async () => {
  await intend('c1');
  await recover([reported('c1')]);
  expect(await store.journal.ofSession(sessionId)).toMatchObject([{ commandId: 'c1', status: 'intended' }]);
});

test('an attempt that Temporal repeats after it was put back gets the browser, a late one does not', async () => {
  const holder = { runId, activityId: '9', attempt: 1, scheduledAt: 2000 };
  await store.leases.acquire(sessionId, holder, 'host', 'one');
  const late = { runId, activityId: '7', attempt: 1, scheduledAt: 1000 };
  await expect(store.leases.acquire(sessionId, late, 'host', 'two')).rejects.toMatchObject({ reason: 'stale-attempt' });
  await store.leases.acquire(sessionId, { ...late, scheduledAt: 3000 }, 'host', 'two');
});

test('messages that Temporal may have forgotten are delivered again, those cancelled midway are not', async () => {
  const create = (name: 'pause' | 'cancelTurn') =>
    store.controlMessages.create(
      { messageId: `${sessionId}/${name}`, sessionId, name, requestHash: name, input: null },
      1000,
    );
  for (const name of ['pause', 'cancelTurn'] as const) {
    const { message } = await create(name);
    const answer = { status: SessionStatus.ACTIVE, pauseRequested: true, totalSteps: 1 };
    await store.controlMessages.settle(message.messageId, { state: 'applied', answer });
  }
  await store.controlMessages.reopen(sessionId);
  expect((await store.controlMessages.ofSession(sessionId)).map(({ name, state }) => [name, state])).toEqual([
    ['pause', 'pending'],
    ['cancelTurn', 'applied'],
  ]);
});
