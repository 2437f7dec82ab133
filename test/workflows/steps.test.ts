import { failing, planned, ran, says } from '../support/fake-activities';
import { useWorkflowHarness } from '../support/workflow-harness';

const harness = useWorkflowHarness();

const one = { steps: ['Buy a bean'] };
const click = [planned('c1')];

test('[S1.A30] two steps that go well run in order, in one browser, and end with the one terminal event', async () => {
  const session = await harness.start(
    { steps: ['Open the shop', { instruction: 'Buy a bean', maxIterations: 3 }] },
    { decide: [says('PROCEED', [planned('a'), planned('b')]), says('PROCEED', [planned('c')])] },
  );
  expect(await session.handle.result()).toEqual({
    sessionId: session.workflowId,
    status: 'COMPLETED',
    completedSteps: 2,
  });
  expect(session.types()).toEqual([
    'WORKFLOW_STARTED',
    'SESSION_STATUS',
    'STEP_STARTED',
    'STEP_COMPLETED',
    'WORKFLOW_PROGRESS',
    'STEP_STARTED',
    'STEP_COMPLETED',
    'WORKFLOW_PROGRESS',
    'WORKFLOW_COMPLETED',
  ]);
  expect(session.seen.log.filter(({ type }) => type === 'STEP_STARTED').map(({ data }) => data.step?.progress)).toEqual(
    [0, 0],
  );
  expect(
    session.seen.log.filter(({ type }) => type === 'STEP_COMPLETED').map(({ data }) => data.step?.progress),
  ).toEqual([100, 100]);
  expect(session.seen.log.filter(({ type }) => type === 'WORKFLOW_PROGRESS').map(({ data }) => data.details)).toEqual([
    { currentStepName: 'Buy a bean' },
    { currentStepName: 'Buy a bean' },
  ]);
  await session.keepHistory('happy-path');
  // The browser is started while the model is asked for the first time.
  expect(session.seen.calls.filter((call) => call === 'acquireBrowser')).toHaveLength(1);
  // On a busy machine it comes so late that its place in the queue is looked up.
  expect(session.seen.calls.filter((call) => !/acquireBrowser|updateQueuePosition/.test(call))).toEqual([
    'openSession',
    'decide',
    'runCommands by worker',
    'judge',
    'decide',
    'runCommands by worker',
    'judge',
    'closeBrowser by worker',
    'publishEvents',
  ]);
  expect(session.seen.asked).toMatchObject([
    { stepIndex: 0, turn: 0, mayAct: true, step: { instruction: 'Open the shop', options: { maxIterations: 8 } } },
    { stepIndex: 1, turn: 0, mayAct: true, step: { instruction: 'Buy a bean', options: { maxIterations: 3 } } },
  ]);
  expect(session.seen.batches.map(({ commands }) => commands.map(({ commandId }) => commandId))).toEqual([
    ['a', 'b'],
    ['c'],
  ]);
  expect(session.seen.stepResults).toMatchObject([
    {
      stepIndex: 0,
      status: 'COMPLETED',
      reasoning: 'because PROCEED\n\nbecause PROCEED',
      page: { screenshotId: 'shot' },
    },
    { stepIndex: 1, status: 'COMPLETED' },
  ]);
  expect(Object.assign({}, ...session.seen.patches)).toMatchObject({
    status: 'COMPLETED',
    closed: true,
    paused: false,
  });
  const ids = session.seen.log.map((record) => record.eventId);
  expect(new Set(ids).size).toBe(ids.length);
});

test('the plan goes to the store a second time only where the row of the session was lost', async () => {
  const [stored, lost] = [{}, { isRowLost: true } as const].map((script) =>
    harness.start(one, { decide: [says('PROCEED')], ...script }),
  );
  const opened = async (session: typeof stored) => {
    const { handle, seen } = await session!;
    expect(await handle.result()).toMatchObject({ status: 'COMPLETED' });
    return seen.opened.map(({ hasPlan, plan }) => [hasPlan, plan?.steps.length]);
  };
  expect(await opened(stored)).toEqual([[true, undefined]]);
  expect(await opened(lost)).toEqual([
    [true, undefined],
    [undefined, 1],
  ]);
});

test('one iteration costs at most 14 events of the Temporal history', async () => {
  const lengthOf = async (count: number): Promise<number> => {
    const decide = Array.from({ length: count }, (_, index) => says('RETRY', [planned(`c${index}`)]));
    const session = await harness.start(one, { decide: [...decide, says('PROCEED')] });
    await session.handle.result();
    return (await session.history()).length;
  };
  // A late machine adds events and never saves any: the shortest of three is what the engine costs.
  const shortestOf = async (count: number): Promise<number> =>
    Math.min(await lengthOf(count), await lengthOf(count), await lengthOf(count));
  expect(((await shortestOf(5)) - (await shortestOf(1))) / 4).toBeLessThanOrEqual(14);
});

describe('with reflection on', () => {
  test('[S1.A23] a step completes only after the model has judged the page after its last commands', async () => {
    const session = await harness.start(one, { decide: [says('PROCEED', click)] });
    expect(await session.handle.result()).toMatchObject({ status: 'COMPLETED' });
    expect(session.seen.calls.filter((call) => /decide|runCommands|judge/.test(call))).toEqual([
      'decide',
      'runCommands by worker',
      'judge',
    ]);
    expect(session.seen.judged).toMatchObject([{ turn: 1, mayAct: true }]);
  });

  test('a judgement that the commands have failed, or one of low confidence, does not complete the step', async () => {
    const session = await harness.start(one, {
      decide: [says('PROCEED', click), says('PROCEED', [], { confidence: 0.6 }), says('PROCEED')],
      judge: [says('PROCEED', [], { validation: 'failed' })],
    });
    expect(await session.handle.result()).toMatchObject({ status: 'COMPLETED' });
    // There is nothing to run, so the page is observed again before each further call.
    expect(session.seen.calls.filter((call) => /decide|runCommands|judge/.test(call))).toEqual([
      'decide',
      'runCommands by worker',
      'judge',
      'runCommands by worker',
      'decide',
      'runCommands by worker',
      'decide',
    ]);
    expect(session.seen.batches.map(({ commands }) => commands.length)).toEqual([1, 0, 0]);
  });

  test('a step that never gets a sure judgement fails with TL005, one that is judged as failed with TL004', async () => {
    const start = { ...one, config: { maxIterations: 1 } };
    const unsure = await harness.start(start, {
      decide: [says('PROCEED', click)],
      judge: [says('PROCEED', [], { confidence: 0.6, message: 'The cart may have a bean.' })],
    });
    expect(await unsure.failure()).toMatchObject({
      code: 'TL005',
      message: expect.stringContaining('The cart may have a bean.'),
    });
    const refuted = await harness.start(start, {
      decide: [says('PROCEED', click)],
      judge: [says('PROCEED', [], { validation: 'failed' })],
    });
    expect(await refuted.failure()).toMatchObject({ code: 'TL004' });
  });

  test('enableReflection: false completes a step as soon as its commands have succeeded', async () => {
    const session = await harness.start(
      { ...one, config: { enableReflection: false } },
      { decide: [says('PROCEED', click)] },
    );
    expect(await session.handle.result()).toMatchObject({ status: 'COMPLETED' });
    expect(session.seen.judged).toEqual([]);
  });

  test('enableReflection: false fails a step whose page speaks against its commands', async () => {
    const session = await harness.start(
      { ...one, config: { enableReflection: false } },
      {
        decide: [says('PROCEED', click)],
        runCommands: [async (input) => ({ ...ran(input), problem: 'The page says “Declined”.' })],
      },
    );
    expect(await session.failure()).toMatchObject({ code: 'TL004', message: 'The page says “Declined”.' });
    expect(session.seen.batches).toMatchObject([{ judgesPage: true }]);
  });
});

test('[S1.A31] PROCEED without commands completes the step', async () => {
  const session = await harness.start(one, { decide: [says('PROCEED')] });
  await session.handle.result();
  expect(session.seen.batches).toEqual([]);
  expect(session.types()).toContain('STEP_COMPLETED');
});

test('PROCEED that is unsure has its commands judged before the step is done', async () => {
  const session = await harness.start(one, { decide: [says('PROCEED', click, { confidence: 0.69 })] });
  await session.handle.result();
  expect(session.seen.judged.map(({ turn }) => turn)).toEqual([1]);
  expect(session.seen.batches).toHaveLength(1);
});

test('PROCEED whose command failed has it judged, and goes on', async () => {
  const session = await harness.start(one, {
    decide: [says('PROCEED', click), says('PROCEED', [planned('c2')])],
    runCommands: [async (input) => ran(input, 'failed')],
  });
  await session.handle.result();
  expect(session.seen.batches.map(({ turn }) => turn)).toEqual([0, 1]);
  expect(session.seen.stepResults).toMatchObject([{ reasoning: Array(3).fill('because PROCEED').join('\n\n') }]);
});

test('[S1.A31] RETRY runs its corrective commands and goes on', async () => {
  const session = await harness.start(one, { decide: [says('RETRY', click), says('PROCEED')] });
  await session.handle.result();
  expect(session.seen.calls.filter((call) => /decide|runCommands/.test(call))).toEqual([
    'decide',
    'runCommands by worker',
    'decide',
  ]);
});

test('[S1.A31] ABORT fails the step with TL004, and no later step is started', async () => {
  const session = await harness.start(
    { steps: ['Buy a bean', 'Pay'] },
    { decide: [says('RETRY', click), says('ABORT', [], { message: 'The shop is closed.' })] },
  );
  expect(await session.failure()).toMatchObject({ code: 'TL004', message: 'The shop is closed.', stepIndex: 0 });
  expect(session.types()).toEqual([
    'WORKFLOW_STARTED',
    'SESSION_STATUS',
    'STEP_STARTED',
    'ERROR_OCCURRED',
    'STEP_FAILED',
    'WORKFLOW_FAILED',
  ]);
  expect(session.seen.calls.slice(-3)).toEqual(['captureFailure by worker', 'closeBrowser by worker', 'publishEvents']);
  expect(session.seen.stepResults).toMatchObject([{ status: 'FAILED', page: { screenshotId: 'failure-shot' } }]);
  expect(Object.assign({}, ...session.seen.patches)).toMatchObject({ status: 'FAILED', error: { code: 'TL004' } });
});

test('[S1.R31] after the last iteration a call may only judge; asking for more fails with TL004', async () => {
  const session = await harness.start(
    { ...one, config: { maxIterations: 2 } },
    { decide: [says('RETRY', click), says('RETRY', click), says('RETRY', click, { message: 'Once more.' })] },
  );
  expect(await session.failure()).toMatchObject({ code: 'TL004', message: expect.stringContaining('Once more.') });
  expect(session.seen.asked.map(({ mayAct }) => mayAct)).toEqual([true, true, false]);
  expect(session.seen.batches).toHaveLength(2);
});

test('[S1.R31] the last call may say that the step is done', async () => {
  const session = await harness.start(
    { ...one, config: { maxIterations: 1 } },
    { decide: [says('RETRY', click), says('PROCEED')] },
  );
  expect(await session.handle.result()).toMatchObject({ status: 'COMPLETED' });
});

test('[S1.A13, S1.A14] a retryable model failure is retried maxRetryAttempts times, then final', async () => {
  const session = await harness.start(
    { ...one, config: { timeouts: { maxRetryAttempts: 2, retryDelayMs: 40 } } },
    { decide: [failing('AI003'), failing('AI003'), failing('AI003', 'The provider is busy.')] },
  );
  expect(await session.failure()).toMatchObject({ code: 'AI003', message: 'The provider is busy.', stepIndex: 0 });
  await session.keepHistory('failure-with-retries');
  expect(session.seen.asked.map(({ turn }) => turn)).toEqual([0, 0, 0]);
  // Temporal has made them: attempts of one activity, each with the failure of the one before.
  const { events } = await session.handle.fetchHistory();
  const started = (events ?? []).flatMap((event) => event.activityTaskStartedEventAttributes ?? []);
  const last = started.find(({ attempt }) => attempt === 3);
  expect(last?.lastFailure).toMatchObject({ applicationFailureInfo: { type: 'AI003', nonRetryable: false } });
  expect(session.types().filter((type) => type === 'STEP_STARTED')).toHaveLength(1);
});

test('[S1.A14] a model that recovers costs the step nothing', async () => {
  const session = await harness.start(
    { ...one, config: { timeouts: { retryDelayMs: 10 } } },
    { decide: [failing('TL003'), says('PROCEED')] },
  );
  expect(await session.handle.result()).toMatchObject({ status: 'COMPLETED' });
});

test('S1.E: a failure that is not retryable ends the session at once with its code', async () => {
  const session = await harness.start(one, { decide: [failing('AI002', 'The key is wrong.')] });
  expect(await session.failure()).toMatchObject({ code: 'AI002', message: 'The key is wrong.', retryable: false });
  expect(session.seen.asked).toHaveLength(1);
});

test('a browser that can not be started fails the step with its code', async () => {
  const session = await harness.start(one, {
    decide: [says('PROCEED', click)],
    acquireBrowser: [failing('EX001', 'There is no Chromium.')],
  });
  expect(await session.failure()).toMatchObject({ code: 'EX001', message: 'There is no Chromium.' });
  expect(session.seen.calls).not.toContain('closeBrowser by worker');
  await session.keepHistory('browser-out-of-time');
});
