import { WorkflowUpdateFailedError } from '@temporalio/client';
import type { ApplicationFailure } from '@temporalio/common';
import type { DecideOutput } from '../../activities/signatures/engine-activities';
import type { RowPatch } from '../../contracts/events/outbox';
import { eventually } from '../support/eventually';
import { aLease, anUnknown, planned, ran, says, type Script } from '../support/fake-activities';
import { useWorkflowHarness, type Session } from '../support/workflow-harness';

const harness = useWorkflowHarness();

const press = { ...planned('c1'), target: { selector: '#buy', role: 'button', name: 'Place order', nth: 0, of: 1 } };
const pressAgain = { ...press, commandId: 'c2' };
const cannotKnow = says('ABORT', [], { unknownCommits: [anUnknown()], judgement: 'cannot-know' });

/** A session whose click nobody saw end; after the person's answer the model says `after`. */
async function waiting(after: DecideOutput[], judging: DecideOutput = cannotKnow, change: Partial<Script> = {}) {
  const session = await harness.start(
    { steps: ['Buy a bean'] },
    {
      decide: [says('PROCEED', [press]), judging, ...after],
      runCommands: [async (input) => ran(input, 'unknown')],
      ...change,
    },
  );
  await session.published('WORKFLOW_PAUSED');
  return session;
}

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
const pauses = (session: Session) => session.seen.log.filter(({ type }) => type === 'WORKFLOW_PAUSED');

test('a person says that it happened: the page is looked at again, nothing is repeated, the step goes on', async () => {
  const session = await waiting([says('PROCEED')]);
  const { isJudged: _isJudged, ...unknown } = anUnknown();
  const [asked] = pauses(session);
  expect(asked?.data.details).toEqual({ pausedFor: 'unknown-outcome', unknown });
  expect(asked?.data.message).toContain(`surefoot resolve-unknown ${session.workflowId} c1 --happened yes|no`);
  expect(session.seen.patches.at(-1)).toMatchObject({
    status: 'PAUSED',
    paused: true,
    waitingFor: { pausedFor: 'unknown-outcome', unknown },
  });
  const { currentDetails } = await session.handle.query<{ currentDetails: string }>('__temporal_workflow_metadata');
  expect(currentDetails).toContain('Nobody knows whether CLICK_ELEMENT button "Place order" happened');
  expect(currentDetails).toContain(`resolve-unknown ${session.workflowId} c1 --happened yes|no`);
  expect(await update(session, 'resolveUnknown', { commandId: 'c1', happened: true })).toMatchObject({
    totalSteps: 1,
  });
  expect(await session.handle.result()).toMatchObject({ status: 'COMPLETED' });
  await session.keepHistory('unknown-outcome');
  expect(batches(session)).toEqual([['c1'], []]);
  const resolution = { commandId: 'c1', by: 'person', happened: true, at: expect.any(String) };
  expect(session.seen.resolutions).toEqual([resolution]);
  expect(session.seen.log.find(({ type }) => type === 'WORKFLOW_RESUMED')?.data.details).toEqual({
    resolved: resolution,
  });
  const resumed = session.seen.patches.find(({ waitingFor }) => waitingFor === null);
  expect(resumed).toMatchObject({ status: 'ACTIVE', paused: false });
});

test('a person says by signal that it did not happen: it is run again as a command of its own', async () => {
  const session = await waiting([says('PROCEED', [pressAgain])]);
  await session.handle.signal('resolveUnknown', { commandId: 'c1', happened: false });
  expect(await session.handle.result()).toMatchObject({ status: 'COMPLETED' });
  expect(batches(session)).toEqual([['c1'], [], ['c2']]);
  expect(session.seen.resolutions).toMatchObject([{ by: 'person', happened: false }]);
});

test('a reply that would repeat the click is not run: a person is asked first', async () => {
  const repeating = says('PROCEED', [pressAgain], { unknownCommits: [anUnknown()] });
  const session = await waiting([says('PROCEED')], repeating);
  expect(batches(session)).toEqual([['c1']]);
  await update(session, 'resolveUnknown', { commandId: 'c1', happened: true });
  expect(await session.handle.result()).toMatchObject({ status: 'COMPLETED' });
  expect(batches(session)).toEqual([['c1'], []]);
});

test('a reply that would do the same by Enter, and judges no click, is not run: a person is asked', async () => {
  const enter = { commandId: 'c2', action: 'PRESS_KEY', parameters: { key: 'Enter' } } as const;
  const byAnotherWay = says('PROCEED', [enter], { unknownCommits: [anUnknown()], hasCommit: true });
  const session = await waiting([says('PROCEED')], byAnotherWay);
  expect(batches(session)).toEqual([['c1']]);
  await update(session, 'resolveUnknown', { commandId: 'c1', happened: true });
  expect(await session.handle.result()).toMatchObject({ status: 'COMPLETED' });
  expect(batches(session)).toEqual([['c1'], []]);
});

test('a model that only looks has judged nothing until the step is done with it', async () => {
  const look = says('PROCEED', [planned('c2', 'EXPECT')], { unknownCommits: [anUnknown()] });
  const enter = { commandId: 'c3', action: 'PRESS_KEY', parameters: { key: 'Enter' } } as const;
  const byAnotherWay = says('PROCEED', [enter], { unknownCommits: [anUnknown()], hasCommit: true });
  const lookAgain = says('PROCEED', [planned('c4', 'EXPECT')], { unknownCommits: [anUnknown({ commandId: 'c9' })] });
  const session = await harness.start(
    { steps: ['Buy a bean'] },
    {
      decide: [says('PROCEED', [press]), look, byAnotherWay, lookAgain],
      judge: [says('PROCEED', [], { unknownCommits: [anUnknown({ commandId: 'c9' })] })],
      runCommands: [async (input) => ran(input, 'unknown'), async (input) => ran(input, 'failed')],
    },
  );
  await session.published('WORKFLOW_PAUSED');
  expect(batches(session)).toEqual([['c1'], ['c2']]);
  expect(session.seen.resolutions).toEqual([]);
  await update(session, 'resolveUnknown', { commandId: 'c1', happened: true });
  expect(await session.handle.result()).toMatchObject({ status: 'COMPLETED' });
  expect(session.seen.resolutions).toMatchObject([
    { commandId: 'c1', by: 'person' },
    { commandId: 'c9', by: 'model', happened: true },
  ]);
});

test('a model that goes on has judged it as done, and the journal gets that', async () => {
  const session = await harness.start(
    { steps: ['Buy a bean'] },
    {
      decide: [says('PROCEED', [press]), says('PROCEED', [], { unknownCommits: [anUnknown()] })],
      runCommands: [async (input) => ran(input, 'unknown')],
    },
  );
  expect(await session.handle.result()).toMatchObject({ status: 'COMPLETED' });
  expect(session.seen.resolutions).toMatchObject([{ commandId: 'c1', by: 'model', happened: true }]);
  expect(session.types()).not.toContain('WORKFLOW_PAUSED');
});

test('the call that could not judge and the click that did not happen are no iterations', async () => {
  const session = await harness.start(
    { steps: [{ instruction: 'Buy a bean', maxIterations: 1 }] },
    {
      decide: [says('PROCEED', [press]), cannotKnow, says('PROCEED', [pressAgain])],
      runCommands: [async (input) => ran(input, 'unknown')],
    },
  );
  await session.published('WORKFLOW_PAUSED');
  await update(session, 'resolveUnknown', { commandId: 'c1', happened: false });
  expect(await session.handle.result()).toMatchObject({ status: 'COMPLETED' });
  expect(session.seen.asked.map(({ turn, mayAct }) => [turn, mayAct])).toEqual([
    [0, true],
    [1, false],
    [2, true],
  ]);
});

test('time spent waiting for a person counts neither for the step nor for the session', async () => {
  // Long enough for what a busy machine takes to come to the question.
  const limits = { workflowTimeoutMs: 6000, stepTimeoutMs: 6000, requestTimeoutMs: 1000, connectionTimeoutMs: 1000 };
  const session = await harness.start(
    { steps: ['Buy a bean'], config: { timeouts: limits } },
    {
      decide: [says('PROCEED', [press]), cannotKnow, says('PROCEED')],
      runCommands: [async (input) => ran(input, 'unknown')],
    },
  );
  await session.published('WORKFLOW_PAUSED');
  const pausedAt = Date.now();
  await eventually('both limits would be over', () => Date.now() > pausedAt + 6200);
  await update(session, 'resolveUnknown', { commandId: 'c1', happened: true });
  expect(await session.handle.result()).toMatchObject({ status: 'COMPLETED' });
});

test("resume lifts the operator's pause alone; without one it is refused with what is waited for", async () => {
  const session = await waiting([says('PROCEED')]);
  const refused = new RegExp(
    '^WrongState: .* waiting for a person to say whether CLICK_ELEMENT button "Place order" happened .*resolve-unknown',
  );
  expect(await refusalOf(session, 'resume')).toMatch(refused);
  expect(await update(session, 'pause')).toMatchObject({ status: 'PAUSED', pauseRequested: true });
  expect(await update(session, 'resume')).toMatchObject({ status: 'PAUSED', pauseRequested: false });
  expect(await refusalOf(session, 'resume')).toMatch(refused);
  await update(session, 'resolveUnknown', { commandId: 'c1', happened: true });
  expect(await session.handle.result()).toMatchObject({ status: 'COMPLETED' });
});

test('a pause that an operator adds begins when the answer is in: nothing runs before it is resumed', async () => {
  const session = await waiting([says('PROCEED', [pressAgain])]);
  await update(session, 'pause');
  await update(session, 'resolveUnknown', { commandId: 'c1', happened: false });
  await eventually('the second pause', () => pauses(session).length === 2);
  expect(pauses(session).map(({ data }) => data.details?.['pausedFor'])).toEqual(['unknown-outcome', 'operator']);
  expect(batches(session)).toEqual([['c1']]);
  await update(session, 'resume');
  expect(await session.handle.result()).toMatchObject({ status: 'COMPLETED' });
  expect(batches(session)).toEqual([['c1'], [], ['c2']]);
});

test('cancel ends a session that waits, and its row asks nobody any more', async () => {
  const session = await waiting([]);
  await update(session, 'cancel');
  await expect(session.handle.result()).rejects.toThrow();
  // The question goes with the first thing that is written after the cancellation.
  const row: RowPatch = Object.assign({}, ...session.seen.patches);
  expect(row).toMatchObject({ status: 'CANCELLED', closed: true, paused: false, waitingFor: null });
  expect(session.types().at(-1)).toBe('WORKFLOW_FAILED');
});

test('an answer that nobody waits for is refused and names the one that is; as a signal it is ignored', async () => {
  const session = await waiting([says('PROCEED')]);
  expect(await refusalOf(session, 'resolveUnknown', { commandId: 'c9', happened: true })).toBe(
    `WrongState: The session can't be given this answer: it is waiting for the outcome of c1 (CLICK_ELEMENT button "Place order"), not of c9.`,
  );
  expect(await refusalOf(session, 'resolveUnknown', { commandId: 'c1', happened: 'yes' })).toMatch(
    /^SP001: happened: /,
  );
  await session.handle.signal('resolveUnknown', { commandId: 'c9', happened: false });
  await session.handle.signal('resolveUnknown', 'nonsense');
  await update(session, 'resolveUnknown', { commandId: 'c1', happened: true });
  expect(await session.handle.result()).toMatchObject({ status: 'COMPLETED' });
  expect(session.seen.resolutions).toMatchObject([{ happened: true }]);
});

test('of two answers at once one wins and the other is refused', async () => {
  const session = await waiting([says('PROCEED', [pressAgain])]);
  const answers = [true, false].map((happened) => update(session, 'resolveUnknown', { commandId: 'c1', happened }));
  const settled = await Promise.allSettled(answers);
  expect(settled.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  const refused = settled.find((each) => each.status === 'rejected')!.reason as WorkflowUpdateFailedError;
  expect(refused.cause).toMatchObject({ type: 'WrongState', message: expect.stringContaining('not waiting for one') });
  expect(await session.handle.result()).toMatchObject({ status: 'COMPLETED' });
  expect(session.seen.resolutions).toMatchObject([{ happened: settled[0]!.status === 'fulfilled' }]);
});

test('a browser that a person is waited for too long is given back, and the answer brings another one', async () => {
  const session = await waiting([says('PROCEED')], cannotKnow, {
    pauseReleaseMs: 20,
    acquireBrowser: [async () => aLease(), async () => aLease({ epoch: 2, isPageChanged: false })],
  });
  const news = () => session.seen.log.flatMap(({ data }) => (data.details?.['browser'] as unknown) ?? []);
  await eventually('the browser is given back', () => news().includes('given-back'));
  await update(session, 'resolveUnknown', { commandId: 'c1', happened: true });
  expect(await session.handle.result()).toMatchObject({ status: 'COMPLETED' });
  expect(news()).toEqual(['given-back', 'same-page']);
  expect(session.seen.batches.map(({ lease, commands }) => [lease.epoch, commands.length])).toEqual([
    [1, 1],
    [2, 0],
  ]);
});

const CHECK = { steps: ['Open http://shop/orders', 'Expect "Bean"'], looks: 3, within: '1s' };
const url = 'http://shop/orders';
const look = (finding: 'found' | 'not-there' | 'unsure', seen: string) => ({
  lease: aLease(),
  found: { finding, seen, url },
});
const looks = (session: Session) => session.seen.calls.filter((call) => call.startsWith('lookAtSite')).length;

/** A step with a check, whose click nobody saw end. */
const checked = (after: DecideOutput[], change: Partial<Script> = {}, check: object = CHECK) =>
  harness.start(
    { steps: [{ instruction: 'Buy a bean', check }] },
    {
      decide: [says('PROCEED', [press]), cannotKnow, ...after],
      runCommands: [async (input) => ran(input, 'unknown')],
      ...change,
    },
  );

test('what the check of a step finds has happened: nobody is asked, and the log says what was seen', async () => {
  const lookAtSite = [
    look('not-there', 'No “Bean”.'),
    look('unsure', 'It was answered with 503.'),
    look('found', 'A “Bean”.'),
  ];
  const session = await checked([says('PROCEED')], { lookAtSite });
  expect(await session.handle.result()).toMatchObject({ status: 'COMPLETED' });
  await session.keepHistory('checked-outcome');
  expect([batches(session), looks(session)]).toEqual([[['c1'], []], 3]);
  const resolution = { commandId: 'c1', by: 'check', happened: true, at: expect.any(String), seen: 'A “Bean”.' };
  expect(session.seen.resolutions).toEqual([resolution]);
  expect(session.types()).not.toContain('WORKFLOW_PAUSED');
  const details = { status: 'ACTIVE', resolved: resolution, check: { finding: 'found', seen: 'A “Bean”.', url } };
  expect(session.seen.log.map(({ data }) => data)).toContainEqual({
    message: 'The site shows that CLICK_ELEMENT button "Place order" happened. A “Bean”.',
    details,
  });
});

test('what the check misses in each of its looks did not happen, and is run again', async () => {
  const session = await checked([says('PROCEED', [pressAgain])]);
  expect(await session.handle.result()).toMatchObject({ status: 'COMPLETED' });
  expect([batches(session), looks(session)]).toEqual([[['c1'], [], ['c2']], 3]);
  expect(session.seen.resolutions).toMatchObject([{ commandId: 'c1', by: 'check', happened: false }]);
});

test('where the looks of a check fail, a person is asked, with what was seen', async () => {
  const down = look('unsure', 'http://shop/orders was answered with 503.');
  const session = await checked([says('PROCEED')], { lookAtSite: [down, down, down] });
  await session.published('WORKFLOW_PAUSED');
  expect(looks(session)).toBe(3);
  const [asked] = pauses(session);
  expect(asked?.data.message).toContain('which proved nothing: http://shop/orders was answered with 503.');
  await update(session, 'resolveUnknown', { commandId: 'c1', happened: true });
  expect(await session.handle.result()).toMatchObject({ status: 'COMPLETED' });
  expect(session.seen.resolutions).toMatchObject([{ by: 'person', happened: true }]);
});

test('with before: true what is there already completes the step, and a look that fails fails it', async () => {
  const before = { ...CHECK, before: true };
  const found = await checked([], { lookAtSite: [look('found', 'A “Bean”.')] }, before);
  expect(await found.handle.result()).toMatchObject({ status: 'COMPLETED' });
  expect(found.seen.calls).not.toContain('decide');
  expect(found.seen.log.find(({ type }) => type === 'WARNING_ISSUED')?.data.warning).toMatchObject({
    message: 'Already done: A “Bean”. Nothing was done again.',
    details: { once: 'already-done' },
  });
  const down = look('unsure', 'It is down.');
  const failed = await checked([], { lookAtSite: [down, down, down] }, before);
  await expect(failed.handle.result()).rejects.toThrow('Workflow execution failed');
  expect(failed.seen.log.find(({ type }) => type === 'STEP_FAILED')?.data.error?.message).toContain(
    'so nothing was done. It is down.',
  );
});
