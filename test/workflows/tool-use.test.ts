import type { PlannedCall } from '../../contracts/tools/planned-call';
import { aCall, aToolCall, CLIENT_QUEUE, failing, ran, thinks, type Script } from '../support/fake-activities';
import { useWorkflowHarness, type Session } from '../support/workflow-harness';

const harness = useWorkflowHarness();

const start = (script: Script, agent: object = {}, task: object = {}): Promise<Session> =>
  harness.start({ steps: [{ task: 'Find the cheapest bean', ...task }], config: { agent } }, script);

const factsOf = (session: Session, kind: string) =>
  session.seen.log.flatMap(({ facts }) => (facts?.kind === kind ? [facts] : []));
const taskEnd = (session: Session) => factsOf(session, 'task-end')[0];

const goTo = (callId: string, url: string): PlannedCall =>
  aCall(callId, {
    name: 'navigate',
    args: { url },
    effect: 'idempotent',
    navigatesTo: url,
    run: { kind: 'browser', command: { commandId: `go ${callId}`, action: 'OPEN_PAGE', parameters: { url } } },
  });

test('[S0.R2, S0.R3] asks, runs the calls in order, hands their ends on, and ends with the answer', async () => {
  const session = await start({
    runModelTurn: [
      thinks('I look.', [aCall('call_1'), aToolCall('call_2', 'notes__add')]),
      thinks('Kenya, at 7 euros.'),
    ],
  });
  expect(await session.handle.result()).toMatchObject({ status: 'COMPLETED' });
  await session.keepHistory('task');
  expect(session.seen.thought.map(({ turn, ends }) => ({ turn, ends }))).toEqual([
    { turn: 0, ends: [] },
    {
      turn: 1,
      ends: [
        { callId: 'call_1', status: 'success' },
        { callId: 'call_2', status: 'success' },
      ],
    },
  ]);
  expect(session.seen.calls.filter((call) => /runModelTurn|run/.test(call))).toEqual([
    'runModelTurn',
    'runCommands by worker',
    'runTool notes__add',
    'runModelTurn',
  ]);
  expect(taskEnd(session)).toEqual({ kind: 'task-end', status: 'complete', answer: 'Kenya, at 7 euros.', turns: 2 });
  expect(factsOf(session, 'turn')).toEqual([
    { kind: 'turn', hasToolCalls: true, tokens: 15 },
    { kind: 'turn', hasToolCalls: false, tokens: 15 },
  ]);
  expect(session.seen.log.find(({ facts }) => facts?.kind === 'task-end')?.type).toBe('STEP_COMPLETED');
  expect(session.seen.stepResults).toMatchObject([{ status: 'COMPLETED', reasoning: 'Kenya, at 7 euros.' }]);
});

test('[S0.A5] an empty answer becomes a fixed one', async () => {
  const session = await start({ runModelTurn: [thinks('')] });
  await session.handle.result();
  expect(taskEnd(session)).toMatchObject({ status: 'complete', answer: 'Task completed.' });
});

test('a model that says itself that the task is not done fails it with its words', async () => {
  const session = await start({ runModelTurn: [thinks('I could not do this: no beans.', [], { isGivenUp: true })] });
  expect((await session.failure()).message).toBe('I could not do this: no beans.');
  expect(taskEnd(session)).toMatchObject({ status: 'error', answer: 'I could not do this: no beans.' });
});

test('[S0.A6] an answer that was cut off is complete, and a warning says so', async () => {
  const session = await start({ runModelTurn: [thinks('Kenya, at', [], { isTruncated: true })] });
  await session.handle.result();
  expect(taskEnd(session)).toMatchObject({ status: 'complete', answer: 'Kenya, at' });
  expect(session.seen.log.find(({ type }) => type === 'WARNING_ISSUED')?.data.warning?.message).toContain('cut off');
});

test('[S0.R5, S0.A5] running out of turns ends the task with max_steps and the last text of the model', async () => {
  const runModelTurn = [thinks('First.', [aCall('call_1')]), thinks('Second.', [aCall('call_2')])];
  const session = await start({ runModelTurn }, { maxSteps: 2 });
  const error = await session.failure();
  expect(error).toMatchObject({ code: 'TL004', message: expect.stringContaining('within its 2 turns') });
  expect(taskEnd(session)).toEqual({ kind: 'task-end', status: 'max_steps', answer: 'Second.', turns: 2 });
  expect(session.seen.thought).toHaveLength(2);
});

test("[S0.1.7] a task's own maxSteps goes first; without a text the answer is a fixed sentence", async () => {
  const session = await start({ runModelTurn: [thinks('', [aCall('call_1')])] }, { maxSteps: 9 }, { maxSteps: 1 });
  await session.failure();
  const answer = 'The task did not complete within the step limit.';
  expect(taskEnd(session)).toMatchObject({ status: 'max_steps', answer, turns: 1 });
});

test('[S0.A11] a model that fails for good ends the task with its words; earlier turns count', async () => {
  const session = await start({
    runModelTurn: [thinks('', [aCall('call_1')]), failing('AI002', 'the key is not valid')],
  });
  expect(await session.failure()).toMatchObject({ code: 'AI002' });
  expect(taskEnd(session)).toEqual({
    kind: 'task-end',
    status: 'error',
    answer: 'LLM call failed: the key is not valid',
    turns: 1,
  });
});

test('[S0.A7] a failing tool ends nothing: the model gets the error, and its next calls are not done', async () => {
  const session = await start({
    runModelTurn: [
      thinks('', [
        aToolCall('call_1', 'notes__add'),
        aCall('call_2'),
        aCall('call_3', { effect: 'pure' }),
        aCall('call_4'),
      ]),
      thinks('Done without it.'),
    ],
    runTool: [{ status: 'error', summary: 'no space', durationMs: 2 }],
    runCommands: [async (input) => ran(input, 'failed'), async (input) => ran(input)],
  });
  expect(await session.handle.result()).toMatchObject({ status: 'COMPLETED' });
  expect(session.seen.thought[1]?.ends).toEqual([
    { callId: 'call_1', status: 'error' },
    { callId: 'call_2', status: 'error' },
    { callId: 'call_3', status: 'success' },
    { callId: 'call_4', status: 'cancelled', message: 'It was not run: a call before it failed.' },
  ]);
  expect(session.seen.batches).toHaveLength(2);
});

test('[S0.A8, S2.A7, S2.A17] a refused call runs nowhere: it fails in the log, and the model hears why', async () => {
  const message = 'Tool "fly" not found in registry. The tools are navigate and computer.';
  const session = await start({
    runModelTurn: [
      thinks('', [aCall('call_1', { name: 'fly', run: { kind: 'refused', message } })]),
      thinks('No wings.'),
    ],
  });
  await session.handle.result();
  expect(session.seen.batches).toEqual([]);
  const records = session.seen.log.filter(({ type }) => String(type).startsWith('tool.call'));
  expect(records.map(({ type, facts }) => [type, facts?.kind])).toEqual([
    ['tool.call.execution.start', 'call'],
    ['tool.call.execution.done', 'result'],
  ]);
  expect(session.seen.thought[1]?.ends).toEqual([{ callId: 'call_1', status: 'error', message: `Error: ${message}` }]);
});

test('the third navigation to the same page within five ends the task before it happens', async () => {
  const url = 'https://shop.test/dead';
  const session = await start({
    runModelTurn: ['1', '2', '3'].map((n) => thinks('Again.', [goTo(`call_${n}`, url), aCall(`call_after_${n}`)])),
  });
  const error = await session.failure();
  expect(error).toMatchObject({ code: 'TL004', retryable: false, details: { kind: 'stuck-loop', url } });
  expect(error.message).toContain('stuck in a loop');
  expect(error.message).toContain(url);
  const opened = session.seen.batches.filter(({ commands }) => commands[0]?.action === 'OPEN_PAGE');
  expect(opened).toHaveLength(2);
  expect(taskEnd(session)).toMatchObject({ status: 'error', turns: 3, answer: expect.stringContaining(url) });
  const unrun = factsOf(session, 'result').map((each) => ('callId' in each ? each.callId : ''));
  expect(unrun).toEqual(['call_3', 'call_after_3']);
});

test('one action on the same page runs, and the model is nudged at the third, fifth and eighth time', async () => {
  const again = (n: number) => thinks('', [aCall(`call_${n}`, { actionDigest: 'click e1 on the cart' })]);
  const session = await start({ runModelTurn: [...[1, 2, 3, 4, 5, 6, 7, 8, 9].map(again), thinks('I give up.')] });
  await session.handle.result();
  const nudged = session.seen.thought.flatMap(({ turn, notes }) => (notes.length === 0 ? [] : [[turn, notes.length]]));
  expect(nudged).toEqual([
    [3, 1],
    [5, 1],
    [8, 1],
  ]);
  expect(session.seen.thought[3]?.notes[0]).toContain('3 times');
});

describe('calls that go round and round on a page that stays as it is', () => {
  const rounds = (names: readonly string[], count: number, more: Partial<PlannedCall> = {}) =>
    Array.from({ length: count }, (_, round) =>
      names.map((name, at) => {
        const actionDigest = `${name} on the cart`;
        return thinks('', [aCall(`call_${round}_${at}`, { name, actionDigest, ...(at === 1 ? more : {}) })]);
      }),
    ).flat();
  const ranIn = (session: Awaited<ReturnType<typeof start>>) =>
    session.seen.batches.filter(({ commands }) => commands.length > 0).length;

  it.each([
    ['one call', ['find'], 'the same call of find'],
    ['two calls', ['find', 'read_page'], 'the same 2 calls'],
    ['three calls', ['find', 'read_page', 'computer'], 'the same 3 calls'],
  ])('end the task before the eleventh time: %s', async (_, names, words) => {
    const session = await start({ runModelTurn: rounds(names, 20) });
    const error = await session.failure();
    expect(error).toMatchObject({ code: 'TL004', retryable: false, details: { kind: 'stuck-loop' } });
    expect(error.message).toContain('goes in circles');
    expect(error.message).toContain(words);
    expect(ranIn(session)).toBe(10 * names.length);
  });

  it('go on where one of them waits for the page, or one of the rounds is another', async () => {
    const command = { commandId: 'wait', action: 'WAIT_FOR' as const, parameters: { text: 'Ready' } };
    const waiting = rounds(['read_page', 'wait'], 12, { run: { kind: 'browser', command } });
    const first = await start({ runModelTurn: [...waiting, thinks('It is there.')] });
    expect(await first.handle.result()).toMatchObject({ status: 'COMPLETED' });
    const other = [...rounds(['find', 'read_page'], 9), ...rounds(['scroll'], 1), ...rounds(['find', 'read_page'], 9)];
    const second = await start({ runModelTurn: [...other, thinks('Done.')] });
    expect(await second.handle.result()).toMatchObject({ status: 'COMPLETED' });
  });
});

const inCaller = (callId: string, change: Partial<PlannedCall> = {}): PlannedCall =>
  aCall(callId, { name: 'look_up', effect: 'pure', run: { kind: 'client', timeoutMs: 5000 }, ...change });
const client = { executor: 'client', clientQueue: CLIENT_QUEUE };

test("[S0.R1, S0.R6] a tool of the caller's process runs there by call id, its result by reference", async () => {
  const session = await start(
    {
      runModelTurn: [thinks('', [inCaller('call_1')]), thinks('Done.')],
      executeTool: [{ success: true, output: 'seven' }],
    },
    client,
  );
  await session.handle.result();
  expect(session.seen.executed).toEqual([
    {
      sessionId: session.workflowId,
      callId: 'call_1',
      name: 'look_up',
      args: { action: 'left_click', ref: 'e1' },
      dispatch: 1,
    },
  ]);
  expect(session.seen.toolEnds).toMatchObject([{ callId: 'call_1', result: { success: true, output: 'seven' } }]);
  expect(session.seen.thought[1]?.ends).toEqual([{ callId: 'call_1', status: 'success' }]);
  expect(session.seen.calls).not.toContain('acquireBrowser');
});

test.each(['timed out', 'not connected', 'Relay'])(
  '[S0.A7] a failure that says “%s” is tried once more, where the tool may be run twice',
  async (words) => {
    const session = await start(
      {
        runModelTurn: [thinks('', [inCaller('call_1')]), thinks('Done.')],
        executeTool: [
          { success: false, error: `It is ${words} now.` },
          { success: true, output: 'seven' },
        ],
      },
      client,
    );
    await session.handle.result();
    expect(session.seen.executed.map(({ callId }) => callId)).toEqual(['call_1', 'call_1-2']);
    expect(session.seen.toolEnds).toMatchObject([{ callId: 'call_1', isRetried: true, result: { success: true } }]);
  },
);
