import { ApplicationFailure } from '@temporalio/common';
import { commandsFailed } from '../../activities/activity/failures';
import { BROWSER_GONE, SESSION_SUPERSEDED, standardError } from '../../contracts/errors/standard-error';
import { eventually } from '../support/eventually';
import { aLease, failing, planned, ran, says, stopped, untilStopped, type Script } from '../support/fake-activities';
import { useWorkflowHarness } from '../support/workflow-harness';

interface WorkflowMetadata {
  currentDetails: string;
  definition: Record<
    'signalDefinitions' | 'queryDefinitions' | 'updateDefinitions',
    { name: string; description?: string }[]
  >;
}

/** With the engine's own times until a worker counts as dead. */
const harness = useWorkflowHarness({ isPatient: false });

const one = { steps: ['Buy a bean'] };
const click = [planned('c1')];
const limits = { stepTimeoutMs: 1000, requestTimeoutMs: 500, connectionTimeoutMs: 400 };
const quick = { steps: ['Buy a bean'], config: { timeouts: limits } };
const never = async (_: unknown, { signal }: { signal: AbortSignal }): Promise<never> => {
  await stopped(signal);
  throw new Error('It was asked to stop.');
};

test('a step that is not done within its time fails with SP003', async () => {
  const session = await harness.start(quick, { decide: [never] });
  expect(await session.failure()).toMatchObject({
    code: 'SP003',
    stepIndex: 0,
    message: expect.stringContaining('1 s of active time'),
  });
  expect(session.types().slice(-3)).toEqual(['ERROR_OCCURRED', 'STEP_FAILED', 'WORKFLOW_FAILED']);
  await session.keepHistory('step-out-of-time');
});

test('[S1.A39] the timeoutMs of a step stands for stepTimeoutMs', async () => {
  const steps = [{ instruction: 'Buy a bean', timeoutMs: 600 }];
  const session = await harness.start({ steps, config: { timeouts: limits } }, { decide: [never] });
  expect(await session.failure()).toMatchObject({ code: 'SP003', message: expect.stringContaining('0.6 s') });
});

test('steps share a timer, and each has all of its own time, or less where it is given less', async () => {
  const quickly = says('PROCEED');
  const slowly = async () => await new Promise<typeof quickly>((resolve) => setTimeout(() => resolve(quickly), 600));
  const after = await harness.start({ ...quick, steps: ['Open the shop', 'Buy a bean'] }, { decide: [slowly, never] });
  expect(await after.failure()).toMatchObject({ code: 'SP003', stepIndex: 1 });
  expect(after.seen.stepResults[1]?.durationMs).toBeGreaterThanOrEqual(limits.stepTimeoutMs);

  const steps = ['Open the shop', 'Look', 'Look again', { instruction: 'Buy a bean', timeoutMs: 600 }];
  const given = await harness.start(
    { steps, config: { timeouts: { ...limits, stepTimeoutMs: 60_000 } } },
    { decide: [quickly, quickly, quickly, never] },
  );
  expect(await given.failure()).toMatchObject({
    code: 'SP003',
    stepIndex: 3,
    message: expect.stringContaining('0.6 s'),
  });
  const { events } = await given.handle.fetchHistory();
  const timers = (events ?? []).flatMap(({ timerStartedEventAttributes: timer, userMetadata }) => {
    const isOfStep = Buffer.from(userMetadata?.summary?.data ?? []).includes('limit of the step');
    return isOfStep && timer ? [Number(timer.startToFireTimeout?.seconds)] : [];
  });
  expect(timers).toEqual([60, 0]);
});

test('a session that uses up its time fails with SP003, its open step as well', async () => {
  const session = await harness.start(
    {
      steps: ['Open the shop', 'Buy a bean'],
      config: { timeouts: { ...limits, stepTimeoutMs: 8000, workflowTimeoutMs: 8000 } },
    },
    {
      decide: [async () => await new Promise((resolve) => setTimeout(() => resolve(says('PROCEED')), 600)), never],
    },
  );
  expect(await session.failure()).toMatchObject({
    code: 'SP003',
    message: expect.stringContaining('workflowTimeoutMs'),
  });
  expect(session.types().filter((type) => /STEP_|FAILED/.test(type))).toEqual([
    'STEP_STARTED',
    'STEP_COMPLETED',
    'STEP_STARTED',
    'STEP_FAILED',
    'WORKFLOW_FAILED',
  ]);
  await session.keepHistory('session-out-of-time');
});

test('a batch that does not hear of the end of its step is given up shortly after', async () => {
  const session = await harness.start(quick, {
    decide: [says('PROCEED', click)],
    runCommands: [
      async (input) => {
        await session.published('WORKFLOW_FAILED');
        return ran(input);
      },
    ],
  });
  expect(await session.failure()).toMatchObject({ code: 'SP003' });
});

test('a browser that never comes costs a step its time and no more', async () => {
  const session = await harness.start(quick, { decide: [says('PROCEED', click)], acquireBrowser: [never] });
  expect(await session.failure()).toMatchObject({ code: 'SP003', stepIndex: 0 });
});

test('a session that fails does not wait for the browser that was being started for it', async () => {
  const session = await harness.start(one, { decide: [failing('AI002')], acquireBrowser: [never] });
  expect(await session.failure()).toMatchObject({ code: 'AI002' });
  expect(session.types().at(-1)).toBe('WORKFLOW_FAILED');
});

test.each<[what: string, input: unknown]>([
  ['no steps', { steps: [] }],
  ['an unknown field', { steps: ['a'], speed: 1 }],
  ['no input at all', undefined],
  ['null', null],
  ['a text', 'Buy a bean'],
  ['a list', ['Buy a bean']],
])('S1.R14 to S1.A39: a start by plain Temporal with %s fails the workflow with SP001, once', async (_, input) => {
  const session = await harness.start(input, { decide: [] });
  expect(await session.failure()).toMatchObject({ code: 'SP001', details: { issues: [expect.anything()] } });
  expect(session.seen.calls).toEqual([]);
  expect(await session.history()).not.toContain('WORKFLOW_TASK_FAILED');
});

test('a session started under a plain name gets the UUID of that name', async () => {
  const session = await harness.start(one, { decide: [says('PROCEED')] }, { workflowId: 'buy a bean' });
  const { sessionId } = (await session.handle.result()) as { sessionId: string };
  expect(sessionId).toMatch(/^[0-9a-f-]{36}$/);
  expect(session.seen.asked).toMatchObject([{ sessionId }]);
});

test('commands whose worker does not take them go to another worker of the same host', async () => {
  const lease = aLease({ workerQueue: 'surefoot-worker-gone' });
  const session = await harness.start(one, {
    decide: [says('PROCEED', click)],
    acquireBrowser: [async () => lease],
    runCommands: [async (input) => ({ ...ran(input), lease: aLease({ epoch: 2 }) })],
  });
  await session.handle.result();
  await session.keepHistory('worker-gone');
  expect(session.seen.calls.slice(-4)).toEqual([
    'runCommands by host',
    'judge',
    'closeBrowser by worker',
    'publishEvents',
  ]);
  expect(session.seen.batches).toMatchObject([{ lease, commands: [{ commandId: 'c1' }] }]);
});

test('commands whose worker dies in the middle run again on the host, under the same ids', async () => {
  const session = await harness.start(one, {
    decide: [says('PROCEED', click)],
    runCommands: [
      async () => {
        session.seen.isSilent = true;
        await session.published('STEP_COMPLETED');
        throw new Error('This worker is dead; nobody hears it.');
      },
    ],
  });
  expect(await session.handle.result()).toMatchObject({ status: 'COMPLETED' });
  expect(session.seen.calls.filter((call) => call.startsWith('runCommands'))).toEqual([
    'runCommands by worker',
    'runCommands by host',
  ]);
  expect(session.seen.batches[1]?.commands).toEqual(session.seen.batches[0]?.commands);
  await session.keepHistory('worker-died');
});

test('a pause of a batch that no worker has taken yet is a pause, not a failure', async () => {
  const script: Script = {
    decide: [says('PROCEED', click)],
    // Nobody polls these queues: the batch is offered to the worker, and then to the host for as long as that beats.
    acquireBrowser: [aLease({ workerQueue: 'surefoot-worker-gone', hostQueue: 'surefoot-host-gone' })],
    isHostGone: false,
  };
  const session = await harness.start(one, script);
  await eventually('the batch is scheduled', async () => {
    const { pendingActivities } = (await session.handle.describe()).raw;
    return pendingActivities?.some((activity) => activity.activityType?.name === 'runCommands');
  });
  await session.handle.executeUpdate('pause');
  await session.published('WORKFLOW_PAUSED');
  expect(session.seen.batches).toEqual([]);
  script.isHostGone = true;
  await session.handle.executeUpdate('resume');
  expect(await session.handle.result()).toMatchObject({ status: 'COMPLETED' });
});

test('a worker that dies while its batch is being paused costs the session nothing', async () => {
  const session = await harness.start(one, {
    decide: [says('PROCEED', click)],
    // It hears of the pause and beats no more: to the server it is dead.
    runCommands: [
      async (_, { signal }) => {
        await stopped(signal);
        session.seen.isSilent = true;
        await session.published('WORKFLOW_PAUSED');
        throw new Error('This worker is dead; nobody hears it.');
      },
    ],
  });
  await eventually('the batch runs', () => session.seen.batches.length === 1);
  await session.handle.executeUpdate('pause');
  await session.published('WORKFLOW_PAUSED');
  await session.handle.executeUpdate('resume');
  expect(await session.handle.result()).toMatchObject({ status: 'COMPLETED' });
});

test.each([
  ['is silent as well', true, 1],
  ['still beats', false, 2],
])('a lease whose host takes no task is given up, sooner when the host %s', async (_, isHostGone, asked) => {
  const timeouts = { connectionTimeoutMs: 7000 };
  const session = await harness.start(
    { ...one, config: { timeouts } },
    {
      decide: [says('PROCEED', click)],
      acquireBrowser: [aLease({ workerQueue: 'surefoot-worker-gone', hostQueue: 'surefoot-host-gone' })],
      runCommands: [async (input) => ran(input)],
      isHostGone,
    },
  );
  expect(await session.handle.result()).toMatchObject({ status: 'COMPLETED' });
  const { calls } = session.seen;
  expect(calls.filter((call) => call === 'acquireBrowser')).toHaveLength(2);
  expect(calls.filter((call) => call === 'isHostGone')).toHaveLength(asked);
});

test('a database that was away for a moment costs the batch a second try, not the session', async () => {
  const away = ApplicationFailure.create({ message: 'The database is away.', type: 'CM002', nonRetryable: false });
  const session = await harness.start(one, { decide: [says('PROCEED', click)], runCommands: [away, away] });
  expect(await session.handle.result()).toMatchObject({ status: 'COMPLETED' });
  expect(session.seen.batches).toHaveLength(3);
});

test('a browser that is gone is replaced, with a warning, and the model decides on the restored page', async () => {
  const gone = failing('EX001', 'The Chrome is gone.', BROWSER_GONE);
  const session = await harness.start(one, {
    decide: [says('PROCEED', click), says('PROCEED', [planned('c2')])],
    acquireBrowser: [aLease({ browserId: 'first' }), aLease({ browserId: 'second', epoch: 2 })],
    runCommands: [gone],
  });
  expect(await session.handle.result()).toMatchObject({ status: 'COMPLETED' });
  await session.keepHistory('browser-gone');
  expect(session.seen.batches).toMatchObject([
    { lease: { epoch: 1 }, commands: [{ commandId: 'c1' }] },
    { lease: { epoch: 2 }, commands: [{ commandId: 'c2' }] },
  ]);
  expect(session.seen.acquired).toMatchObject([{}, { lost: { browserId: 'first', stepIndex: 0 } }]);
  expect(session.types().filter((type) => type === 'WARNING_ISSUED')).toHaveLength(1);
});

test('a browser that dies while it is restored is replaced by a third', async () => {
  const gone = failing('EX001', 'The Chrome is gone.', BROWSER_GONE);
  const session = await harness.start(one, {
    decide: [says('PROCEED', click), says('PROCEED', click)],
    acquireBrowser: [aLease({ browserId: 'first' }), gone, aLease({ browserId: 'third', epoch: 3 })],
    runCommands: [gone],
  });
  expect(await session.handle.result()).toMatchObject({ status: 'COMPLETED' });
  const lost = { browserId: 'first', stepIndex: 0 };
  expect(session.seen.acquired).toMatchObject([{}, { lost }, { lost }]);
});

test('a Chrome that has outlived the workers of its host goes on with the same commands', async () => {
  const gone = failing('EX001', 'The Chrome is gone.', BROWSER_GONE);
  const session = await harness.start(one, {
    decide: [says('PROCEED', click)],
    acquireBrowser: [aLease({ browserId: 'first' }), aLease({ browserId: 'first', epoch: 2 })],
    runCommands: [gone],
  });
  expect(await session.handle.result()).toMatchObject({ status: 'COMPLETED' });
  expect(session.seen.batches).toMatchObject([{ lease: { epoch: 1 } }, { lease: { epoch: 2 } }]);
  expect(session.types().filter((type) => type === 'WARNING_ISSUED')).toHaveLength(1);
});

test('a session that loses its browser over and over gives up after the third new one', async () => {
  const gone = failing('EX001', 'The Chrome is gone.', BROWSER_GONE);
  const session = await harness.start(one, { decide: [says('PROCEED', click)], runCommands: [gone, gone, gone, gone] });
  expect(await session.failure()).toMatchObject({ code: 'EX001', message: 'The Chrome is gone.' });
  expect(session.seen.calls.filter((call) => call === 'acquireBrowser')).toHaveLength(4);
  expect(session.types().filter((type) => type === 'WARNING_ISSUED')).toHaveLength(3);
});

test('a superseded run closes the log it no longer owns, and publishes nothing of its own after', async () => {
  const superseded = failing('SP002', 'Another run owns this session.', SESSION_SUPERSEDED);
  const session = await harness.start(one, { decide: [superseded] });
  expect(await session.failure()).toMatchObject({ code: 'SP002' });
  expect(session.seen.abandoned).toMatchObject([{ code: 'SP002', message: 'Another run owns this session.' }]);
  expect(session.seen.calls.at(-1)).toBe('abandonSession');
  expect(session.seen.calls).not.toContain('publishEvents');
});

test('a run that may not even open its session ends its log as well', async () => {
  const superseded = failing('SP002', 'Another run owns this session.', SESSION_SUPERSEDED);
  const session = await harness.start(one, { decide: [], openSession: [superseded] });
  expect(await session.failure()).toMatchObject({ code: 'SP002' });
  expect(session.seen.calls).toEqual(['openSession', 'abandonSession']);
});

test('the Temporal UI shows the steps, and search attributes only where the server knows them', async () => {
  const release: (() => void)[] = [];
  for (const hasSearchAttributes of [false, true]) {
    const session = await harness.start(
      { steps: ['Open the shop', 'Buy a bean'], tenant: 'shop' },
      {
        decide: [
          { ...says('PROCEED'), spent: { tokens: 90 } },
          () =>
            new Promise((resolve) =>
              release.push(() => resolve({ ...says('PROCEED'), spent: { tokens: 2100, cost: 0.0125 } })),
            ),
        ],
        hasSearchAttributes,
      },
    );
    await session.published('STEP_COMPLETED');
    const metadata = (await session.handle.query('__temporal_workflow_metadata')) as { currentDetails: string };
    expect(metadata.currentDetails).toContain('1 of 2 steps done');
    expect(metadata.currentDetails).toContain('1. ✓ Open the shop\n2. ▶ Buy a bean');
    release.at(-1)?.();
    await session.handle.result();
    const { typedSearchAttributes, memo } = await session.handle.describe();
    const ours = typedSearchAttributes.getAll().filter(({ key }) => key.name.startsWith('Surefoot'));
    const attributes = Object.fromEntries(ours.map(({ key, value }) => [key.name, value]));
    expect(attributes).toEqual(
      hasSearchAttributes
        ? {
            SurefootStatus: 'COMPLETED',
            SurefootModel: 'rules',
            SurefootTenant: 'shop',
            SurefootTokens: 2100,
            SurefootCost: 0.0125,
          }
        : {},
    );
    const query = `WorkflowId = '${session.workflowId}' AND SurefootCost > 0.01`;
    const listed = async () => await Array.fromAsync(session.handle.client.list({ query }));
    if (hasSearchAttributes)
      await eventually('the list finds it by its cost', async () => (await listed()).length === 1);
    expect(memo).toMatchObject({ steps: ['Open the shop', 'Buy a bean'] });
  }
});

test('a step of one iteration is at most twelve events of the history', async () => {
  const steps = Array.from({ length: 6 }, (_, index) => `Buy bean ${index}`);
  const decide = steps.map((_, index) => ({
    ...says('PROCEED', [planned(`c${index}`)]),
    spent: { tokens: 10 * index, cost: index },
  }));
  const session = await harness.start(
    { steps, config: { enableReflection: false } },
    { decide, hasSearchAttributes: true },
  );
  await session.handle.result();
  expect(await session.eventsBetween('decide', { from: 2, to: 6 })).toBeLessThanOrEqual(12 * 4);
});

test('[S1.R15] a session of a minute has its steps and calls end with it, and warns', async () => {
  const session = await harness.start(
    { steps: ['a'], config: { maxExecutionTime: 9000 } },
    { decide: [says('PROCEED')] },
  );
  await session.handle.result();
  expect(session.types().filter((type) => type === 'WARNING_ISSUED')).toHaveLength(3);
  expect(session.types()).toContain('WORKFLOW_COMPLETED');
  await session.keepHistory('lowered-limits');
});

test('[S1.R22] the errors of step and session name the error of the command that made them', async () => {
  const cause = standardError({ id: 'e1', timestamp: new Date(0), code: 'EX004', message: 'The page did not load.' });
  const session = await harness.start(one, { decide: [says('ABORT', [], { cause })] });
  expect(await session.failure()).toMatchObject({ code: 'TL004', cause: { code: 'EX004', message: cause.message } });
  // Temporal's list and page show the code of what began it, and REST and S3 have it in the error.
  const failed = await session.handle.result().catch((error: unknown) => (error as Error).cause);
  expect(failed).toMatchObject({ type: 'EX004', cause: { type: 'EX004', message: cause.message } });
});

test('a failed command reads red in Temporal: its activity fails with its code, and the page names it', async () => {
  const page = { screenshotId: '', url: 'about:blank' };
  const outcomes = [{ commandId: 'c1', status: 'failed', code: 'EX002', message: 'There is no such button.' }] as const;
  const output = { outcomes: [...outcomes], isInterrupted: false, lease: aLease(), page };
  const session = await harness.start(one, {
    decide: [says('PROCEED', click), says('ABORT')],
    runCommands: [commandsFailed(outcomes[0], output) as ApplicationFailure],
    hasSearchAttributes: true,
  });
  expect(await session.failure()).toMatchObject({ code: 'TL004' });
  expect(session.seen.judged.length + session.seen.asked.length).toBe(2);
  await session.keepHistory('failed-command');
  const failures = ((await session.handle.fetchHistory()).events ?? []).flatMap(
    (event) => event.activityTaskFailedEventAttributes?.failure?.applicationFailureInfo?.type ?? [],
  );
  expect(failures).toEqual(['EX002']);
  const metadata = (await session.handle.query('__temporal_workflow_metadata')) as WorkflowMetadata;
  expect(metadata.currentDetails).toContain('✗ CLICK_ELEMENT #buy failed: There is no such button.');
  const { typedSearchAttributes } = await session.handle.describe();
  const ours = typedSearchAttributes.getAll().map(({ key, value }) => [key.name, value]);
  expect(Object.fromEntries(ours)).toMatchObject({ SurefootStatus: 'FAILED', SurefootError: 'TL004' });
});

test('a command and a model that used up their own time fail their activities with EX004 and TL002', async () => {
  const page = { screenshotId: '', url: 'about:blank' };
  const late = { commandId: 'c1', status: 'failed', code: 'EX004', message: 'It did not load within 0.5 s.' } as const;
  const cause = standardError({ id: 'e1', timestamp: new Date(0), code: late.code, message: late.message });
  const output = { outcomes: [late], isInterrupted: false, lease: aLease(), page };
  const command = await harness.start(one, {
    decide: [says('PROCEED', click), { ...says('ABORT'), cause }],
    runCommands: [commandsFailed(late, output) as ApplicationFailure],
  });
  await command.failure();
  await command.keepHistory('command-out-of-time');
  const config = { timeouts: { ...limits, maxRetryAttempts: 0 } };
  const model = await harness.start(
    { ...one, config },
    { decide: [failing('TL002', 'The model sent nothing for 500 ms.')] },
  );
  expect(await model.failure()).toMatchObject({ code: 'TL002' });
  await model.keepHistory('model-out-of-time');
  const codes = async ({ handle }: typeof model): Promise<unknown[]> =>
    ((await handle.fetchHistory()).events ?? []).flatMap(
      (event) => event.activityTaskFailedEventAttributes?.failure?.applicationFailureInfo?.type ?? [],
    );
  expect([await codes(command), await codes(model)]).toEqual([['EX004'], ['TL002']]);
});

test("Temporal's list finds the sessions that wait for a person", async () => {
  const session = await harness.start(
    { steps: ['a', 'b'] },
    { decide: [says('PROCEED', click), says('PROCEED')], runCommands: [untilStopped], hasSearchAttributes: true },
  );
  const waitsFor = async (): Promise<unknown> =>
    (await session.handle.describe()).typedSearchAttributes.getAll().find(({ key }) => key.name === 'SurefootWaitsFor')
      ?.value;
  await eventually('the batch runs', () => session.seen.batches.length === 1);
  expect(await waitsFor()).toBeUndefined();
  await session.handle.executeUpdate('pause');
  await session.published('WORKFLOW_PAUSED');
  expect(await waitsFor()).toBe('operator');
  await session.handle.executeUpdate('resume');
  await session.handle.result();
  expect(await waitsFor()).toBeUndefined();
});

test('every signal, query and update of a session says in Temporal what it is for', async () => {
  const session = await harness.start(one, { decide: [says('PROCEED')] });
  await session.handle.result();
  const { definition } = (await session.handle.query('__temporal_workflow_metadata')) as WorkflowMetadata;
  const { signalDefinitions, queryDefinitions, updateDefinitions } = definition;
  const own = [...signalDefinitions, ...queryDefinitions, ...updateDefinitions].filter(
    ({ name }) => !name.startsWith('__'),
  );
  expect(own.length).toBeGreaterThan(20);
  expect(own.filter(({ description = '' }) => description.length < 20)).toEqual([]);
});

test('every activity and every timer has a summary', async () => {
  const session = await harness.start(one, {
    decide: [failing('TL002'), says('PROCEED', [planned('c1', 'CLICK_ELEMENT')])],
  });
  await session.handle.result();
  const events = (await session.handle.fetchHistory()).events ?? [];
  const described = events.filter(
    (event) => event.activityTaskScheduledEventAttributes !== null || event.timerStartedEventAttributes !== null,
  );
  expect(described.length).toBeGreaterThan(5);
  expect(described.filter(({ userMetadata }) => (userMetadata?.summary?.data ?? []).length === 0)).toEqual([]);
});
