import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { WorkflowUpdateFailedError } from '@temporalio/client';
import { historyToJSON } from '@temporalio/common/lib/proto-utils';
import { Worker } from '@temporalio/worker';
import type { ApplicationFailure } from '@temporalio/common';
import type { DecideInput, DecideOutput } from '../../activities/signatures/engine-activities';
import { eventually } from '../support/eventually';
import { aLease, held, planned, says, untilStopped } from '../support/fake-activities';
import { useWorkflowHarness, type Session } from '../support/workflow-harness';

const harness = useWorkflowHarness();

const one = { steps: ['Buy a bean'] };
const click = [planned('c1'), planned('c2')];

async function update(session: Session, name: string, ...args: unknown[]): Promise<unknown> {
  return await session.handle.executeUpdate(name, { args: args as [unknown] });
}

async function refusalOf(session: Session, name: string, ...args: unknown[]): Promise<string> {
  const error: unknown = await update(session, name, ...args).catch((reason: unknown) => reason);
  if (!(error instanceof WorkflowUpdateFailedError)) throw new Error(`${name} was expected to be refused`);
  const { type, message } = error.cause as ApplicationFailure;
  return `${type}: ${message}`;
}

const batches = (session: Session) =>
  session.seen.batches.map(({ commands }) => commands.map((each) => each.commandId));

test('a pause within a batch stops it, and after it the same commands go on under the same ids', async () => {
  const session = await harness.start(one, { decide: [says('PROCEED', click)], runCommands: [untilStopped] });
  await eventually('the batch runs', () => session.seen.batches.length === 1);
  expect(await update(session, 'pause')).toEqual({ status: 'ACTIVE', pauseRequested: true, totalSteps: 1 });
  await session.published('WORKFLOW_PAUSED');
  expect(await session.handle.query('state')).toEqual({ status: 'PAUSED', pauseRequested: false, totalSteps: 1 });
  expect(session.seen.patches.at(-1)).toMatchObject({ status: 'PAUSED', paused: true });
  expect(batches(session)).toEqual([['c1', 'c2']]);

  expect(await update(session, 'resume')).toMatchObject({ pauseRequested: false });
  await session.handle.result();
  await session.keepHistory('pause-and-resume');
  expect(batches(session)).toEqual([
    ['c1', 'c2'],
    ['c1', 'c2'],
  ]);
  expect(session.seen.asked).toHaveLength(1);
  expect(session.types()).toEqual([
    'WORKFLOW_STARTED',
    'SESSION_STATUS',
    'STEP_STARTED',
    'WORKFLOW_PAUSED',
    'SESSION_STATUS',
    'WORKFLOW_RESUMED',
    'SESSION_STATUS',
    'STEP_COMPLETED',
    'WORKFLOW_PROGRESS',
    'WORKFLOW_COMPLETED',
  ]);
  // The row says that no command may start before the next batch can ask, and that one may again before it does.
  expect(session.seen.calls.filter((call) => /publish|runCommands/.test(call))).toEqual([
    'runCommands by worker',
    'publishEvents',
    'publishEvents',
    'runCommands by worker',
    'publishEvents',
  ]);
});

test('a pause during a model call holds its reply: no command starts before the resume', async () => {
  const reply = held<DecideInput, DecideOutput>();
  const session = await harness.start(one, { decide: [reply.answer] });
  await reply.asked;
  await update(session, 'pause');
  reply.give(says('PROCEED', click));
  await session.published('WORKFLOW_PAUSED');
  expect(session.seen.batches).toEqual([]);
  await update(session, 'resume');
  await session.handle.result();
  expect(batches(session)).toEqual([['c1', 'c2']]);
});

test('a pause while the browser is being started comes before the first command', async () => {
  const browser = held<{ sessionId: string }, ReturnType<typeof aLease>>();
  const session = await harness.start(one, { decide: [says('PROCEED', click)], acquireBrowser: [browser.answer] });
  await browser.asked;
  await eventually('only the browser is waited for', async () => {
    const { pendingActivities } = (await session.handle.describe()).raw;
    return session.seen.asked.length === 1 && pendingActivities?.length === 1;
  });
  await update(session, 'pause');
  browser.give(aLease());
  await session.published('WORKFLOW_PAUSED');
  expect(session.seen.batches).toEqual([]);
  await update(session, 'resume');
  await session.handle.result();
  expect(session.seen.batches).toHaveLength(1);
});

test('time spent paused counts neither for the step nor for the session', async () => {
  // Long enough for what a busy machine takes to come to the pause.
  const limits = { workflowTimeoutMs: 6000, stepTimeoutMs: 6000, requestTimeoutMs: 1000, connectionTimeoutMs: 1000 };
  const session = await harness.start(
    { ...one, config: { timeouts: limits } },
    { decide: [says('PROCEED', click)], runCommands: [untilStopped] },
  );
  await eventually('the batch runs', () => session.seen.batches.length === 1);
  await update(session, 'pause');
  await session.published('WORKFLOW_PAUSED');
  const pausedAt = Date.now();
  await eventually('both limits would be over', () => Date.now() > pausedAt + 6200);
  await update(session, 'resume');
  expect(await session.handle.result()).toMatchObject({ status: 'COMPLETED' });
});

test('a resume before the pause took effect leaves the session running, with no pause in its log', async () => {
  const reply = held<DecideInput, DecideOutput>();
  const session = await harness.start(one, { decide: [reply.answer] });
  await reply.asked;
  await update(session, 'pause');
  expect(await update(session, 'resume')).toEqual({ status: 'ACTIVE', pauseRequested: false, totalSteps: 1 });
  reply.give(says('PROCEED'));
  await session.handle.result();
  expect(session.types()).not.toContain('WORKFLOW_PAUSED');
});

test('a resume right after the pause of a running batch runs the rest of the batch', async () => {
  const session = await harness.start(one, { decide: [says('PROCEED', click)], runCommands: [untilStopped] });
  await eventually('the batch runs', () => session.seen.batches.length === 1);
  await Promise.all([
    update(session, 'pause'),
    eventually('asked', () => update(session, 'resume').catch(() => undefined)),
  ]);
  expect(await session.handle.result()).toMatchObject({ status: 'COMPLETED' });
  expect(batches(session).at(-1)).toEqual(['c1', 'c2']);
});

test('what makes no sense in the state of a session is refused with WrongState and the reason', async () => {
  const session = await harness.start(one, { decide: [says('PROCEED', click)], runCommands: [untilStopped] });
  await eventually('the batch runs', () => session.seen.batches.length === 1);
  expect(await refusalOf(session, 'resume')).toBe("WrongState: The session can't be resumed: it is ACTIVE.");
  await update(session, 'pause');
  await session.published('WORKFLOW_PAUSED');
  expect(await refusalOf(session, 'pause')).toBe("WrongState: The session can't be paused: it is PAUSED.");
  await update(session, 'resume');
  await session.handle.result();
});

test('a session that is ending takes no message that it could not keep', async () => {
  const release = held<{ sessionId: string }, void>();
  const session = await harness.start(one, { decide: [says('PROCEED', click)], closeBrowser: [release.answer] });
  await release.asked;
  expect(await refusalOf(session, 'addSteps', { steps: ['Pay'] })).toMatch(/^WrongState: /);
  expect(await refusalOf(session, 'pause')).toMatch(/^WrongState: /);
  expect(await refusalOf(session, 'cancel')).toMatch(/^WrongState: /);
  release.give(undefined);
  expect(await session.handle.result()).toMatchObject({ status: 'COMPLETED', completedSteps: 1 });
});

test('added steps run after the others, and are stored at their place so that their order can not be lost', async () => {
  const reply = held<DecideInput, DecideOutput>();
  const session = await harness.start(one, { decide: [reply.answer, says('PROCEED'), says('PROCEED')] });
  await reply.asked;
  expect(await update(session, 'addSteps', { steps: ['Pay'] })).toMatchObject({ totalSteps: 2 });
  await session.handle.signal('addSteps', { steps: [{ instruction: 'Sign out', maxIterations: 1 }] });
  await eventually('both are stored', () => session.seen.stored.length === 2);
  reply.give(says('PROCEED'));
  expect(await session.handle.result()).toMatchObject({ completedSteps: 3 });
  expect(session.seen.asked.map(({ step }) => step.instruction)).toEqual(['Buy a bean', 'Pay', 'Sign out']);
  // The second takes the first along when the first may not be written yet.
  const [first, second] = session.seen.stored.map(({ firstIndex, steps }) => [
    firstIndex,
    steps.map(({ instruction }) => instruction),
  ]);
  expect(first).toEqual([1, ['Pay']]);
  expect([
    [1, ['Pay', 'Sign out']],
    [2, ['Sign out']],
  ]).toContainEqual(second);
  expect(session.seen.stored[1]!.steps.at(-1)).toMatchObject({ options: { maxIterations: 1 } });
});

test('steps that can not be run are refused where they stand', async () => {
  const reply = held<DecideInput, DecideOutput>();
  const session = await harness.start(one, { decide: [reply.answer] });
  await reply.asked;
  expect(await refusalOf(session, 'addSteps', { steps: [] })).toMatch(/^SP001: steps: /);
  expect(await refusalOf(session, 'addSteps', { steps: ['x'.repeat(1001)] })).toMatch(
    /^SP001: steps\[0\]: .*1000 characters/,
  );
  expect(await refusalOf(session, 'addSteps', { steps: Array.from({ length: 10_000 }, () => 'a') })).toMatch(
    /^SP001: steps: .*10000/,
  );
  const tooLong = { instruction: 'a', timeoutMs: 1_800_001 };
  expect(await refusalOf(session, 'addSteps', { steps: [tooLong] })).toMatch(/more than workflowTimeoutMs/);
  await session.handle.signal('addSteps', { steps: [] });
  reply.give(says('PROCEED'));
  expect(await session.handle.result()).toMatchObject({ completedSteps: 1 });
});

test('signals do what the updates do, and one that makes no sense is ignored', async () => {
  const session = await harness.start(one, { decide: [says('PROCEED', click)], runCommands: [untilStopped] });
  await eventually('the batch runs', () => session.seen.batches.length === 1);
  await session.handle.signal('resume');
  await session.handle.signal('pause');
  await session.handle.signal('pause');
  await session.published('WORKFLOW_PAUSED');
  await session.handle.signal('resume');
  expect(await session.handle.result()).toMatchObject({ status: 'COMPLETED' });
  expect(session.types().filter((type) => type === 'WORKFLOW_PAUSED')).toHaveLength(1);
});

test('a replay does not validate again: what was accepted replays on a schema that refuses it', async () => {
  const reply = held<DecideInput, DecideOutput>();
  const session = await harness.start(one, { decide: [reply.answer, says('PROCEED')] });
  await reply.asked;
  await session.handle.signal('addSteps', { steps: ['Pay'] });
  await eventually('the step is stored', () => session.seen.stored.length === 1);
  reply.give(says('PROCEED'));
  expect(await session.handle.result()).toMatchObject({ completedSteps: 2 });
  const history = JSON.parse(historyToJSON(await session.handle.fetchHistory())) as RecordedHistory;
  const started = history.events.find((event) => event.workflowExecutionStartedEventAttributes)!;
  const signalled = history.events.find((event) => event.workflowExecutionSignaledEventAttributes)!;
  // As an older version may have accepted them.
  const replaced = [
    replaceInput(started.workflowExecutionStartedEventAttributes!.input, { ...one, anOldField: true }),
    replaceInput(signalled.workflowExecutionSignaledEventAttributes!.input, {
      steps: [{ instruction: 'Pay', anOldOption: 1 }],
    }),
  ];
  expect(replaced).toEqual([one, { steps: ['Pay'] }]);
  const code = readFileSync(join(__dirname, '..', '..', 'dist', 'workflow-bundle.js'), 'utf8');
  const replaying = Worker.runReplayHistory({ workflowBundle: { code } }, history, session.workflowId);
  await expect(replaying).resolves.toBeUndefined();
});

interface Payloads {
  payloads: { data: string }[];
}

interface RecordedHistory {
  events: {
    workflowExecutionStartedEventAttributes?: { input: Payloads };
    workflowExecutionSignaledEventAttributes?: { input: Payloads };
  }[];
}

function replaceInput({ payloads: [payload] }: Payloads, value: unknown): unknown {
  const before: unknown = JSON.parse(Buffer.from(payload!.data, 'base64').toString());
  payload!.data = Buffer.from(JSON.stringify(value)).toString('base64');
  return before;
}
