import type { ModelTurnInput } from '../../activities/signatures/task-activities';
import { AgentEventType } from '../../contracts/agents/agent-event';
import type { BrowserToolResult } from '../../contracts/tasks/agent-loop';
import type { PlannedCall } from '../../contracts/tools/planned-call';
import { eventually } from '../support/eventually';
import {
  aCall,
  anUnknown,
  aToolCall,
  CLIENT_QUEUE,
  failing,
  held,
  ran,
  thinks,
  type Call,
  type Script,
} from '../support/fake-activities';
import { useWorkflowHarness, type Session } from '../support/workflow-harness';

const harness = useWorkflowHarness();

const start = (script: Script, agent: object = {}, task: object = {}): Promise<Session> =>
  harness.start({ steps: [{ task: 'Find the cheapest bean', ...task }], config: { agent } }, script);

const factsOf = (session: Session, kind: string) =>
  session.seen.log.flatMap(({ facts }) => (facts?.kind === kind ? [facts] : []));
const taskEnd = (session: Session) => factsOf(session, 'task-end')[0];

const inCaller = (callId: string, change: Partial<PlannedCall> = {}): PlannedCall =>
  aCall(callId, { name: 'look_up', effect: 'pure', run: { kind: 'client', timeoutMs: 5000 }, ...change });
const client = { executor: 'client', clientQueue: CLIENT_QUEUE };

test('[S0.A7, S2.A18] any other failure, and any of a call that may not be done twice, is not tried again', async () => {
  const session = await start(
    {
      runModelTurn: [thinks('', [inCaller('call_1'), inCaller('call_2', { effect: 'commit' })]), thinks('Done.')],
      executeTool: [
        { success: false, error: 'no such bean' },
        { success: false, error: 'the request timed out' },
      ],
    },
    client,
  );
  await session.handle.result();
  expect(session.seen.executed.map(({ callId }) => callId)).toEqual(['call_1', 'call_2']);
});

test('a tool that throws in the process of the caller is an error for the model', async () => {
  const session = await start(
    { runModelTurn: [thinks('', [inCaller('call_1')]), thinks('Done.')], executeTool: [failing('EX001', 'it broke')] },
    client,
  );
  await session.handle.result();
  expect(session.seen.toolEnds).toMatchObject([{ result: { success: false, error: 'it broke' } }]);
});

test('of a lost caller, a call that asked is sent on, one that began is unknown, others are not done', async () => {
  const lost = (_input: unknown, { signal }: Call) =>
    new Promise<BrowserToolResult>((_, reject) =>
      signal.addEventListener('abort', () => reject(signal.reason as Error)),
    );
  const commit = (timeoutMs: number) => inCaller('call_1', { effect: 'commit', run: { kind: 'client', timeoutMs } });
  const sent = async (timeoutMs: number, ...executeTool: NonNullable<Script['executeTool']>) => {
    const session = await start(
      { runModelTurn: [thinks('', [commit(timeoutMs)]), thinks('Done.')], executeTool },
      client,
    );
    await eventually('the call is sent', () => session.seen.executed.length === 1);
    return session;
  };
  const note = (session: Session, state: string, dispatch = 1) =>
    session.handle.executeUpdate('noteCall', { args: [{ callId: 'call_1', dispatch, state }] });

  const sessions = await Promise.all([
    sent(60_000, lost, { success: true, output: 'again' }),
    sent(60_000, lost),
    sent(1, lost),
  ]);
  await Promise.all(sessions.map((session) => note(session, 'asking')));
  const [asking, begun, late] = sessions;
  asking.seen.isSilent = true;
  begun.seen.isSilent = true;
  await note(begun, 'running');
  await expect(note(begun, 'asking', 2)).rejects.toMatchObject({ cause: { type: 'WrongState' } });
  await expect(note(begun, 'thinking')).rejects.toMatchObject({ cause: { type: 'SP001' } });
  await Promise.all(sessions.map(({ handle }) => handle.result()));

  expect(asking.seen.executed.map(({ callId, dispatch }) => [callId, dispatch])).toEqual([
    ['call_1', 1],
    ['call_1', 2],
  ]);
  expect(asking.seen.toolEnds).toMatchObject([{ result: { success: true, output: 'again' } }]);
  expect(begun.seen.executed).toHaveLength(1);
  expect(begun.seen.toolEnds).toMatchObject([{ isUnknown: true, result: { success: false } }]);
  expect(late.seen.executed).toHaveLength(1);
  expect(late.seen.toolEnds).toMatchObject([{ result: { error: expect.stringContaining('it was not done') } }]);
  expect(late.seen.toolEnds[0]).not.toHaveProperty('isUnknown');
}, 60_000);

test('a tool that nobody comes to run is waited for, with a warning that names the queue', async () => {
  const session = await start(
    { runModelTurn: [thinks('', [inCaller('call_1')])] },
    { executor: 'client', clientQueue: 'nobody-listens' },
  );
  await session.published('WARNING_ISSUED');
  const warning = session.seen.log.find(({ type }) => type === 'WARNING_ISSUED')?.data.warning;
  expect(warning?.message).toContain('no process listens on the task queue nobody-listens');
  await session.handle.cancel();
  await expect(session.handle.result()).rejects.toThrow();
  expect(factsOf(session, 'result')).toMatchObject([{ callId: 'call_1', error: 'It was cancelled while it ran.' }]);
}, 60_000);

test('a relayed call goes to the browser session that was named, and waits for it as configured', async () => {
  const call = aCall('call_1', { name: 'read_page', effect: 'pure', run: { kind: 'relay', timeoutMs: 15_000 } });
  const session = await start(
    { runModelTurn: [thinks('', [call]), thinks('Done.')] },
    { executor: 'relay', browserSessionId: 'browser-1', waitForBrowserMs: 5000 },
  );
  await session.handle.result();
  expect(session.seen.relayed).toMatchObject([
    { browserSessionId: 'browser-1', callId: 'call_1', tool: 'read_page', waitForBrowserMs: 5000 },
  ]);
  expect(session.seen.toolEnds).toMatchObject([{ callId: 'call_1', result: { success: true } }]);
});

test('after a call of unknown effect a person is asked before its tool does anything more', async () => {
  const session = await start(
    {
      runModelTurn: [
        thinks('', [aToolCall('call_1', 'mail__send')]),
        thinks('', [aToolCall('call_2', 'mail__send')]),
        thinks('Sent.'),
      ],
      runTool: [{ status: 'error', summary: 'interrupted', durationMs: 1, isUnknown: true }],
    },
    { approvalMode: 'yolo' },
  );
  await eventually('the question', () => session.seen.approvals.length === 1);
  expect(session.seen.approvals[0]?.card).toMatchObject({ prompt: expect.stringContaining('nobody knows') });
  expect(session.seen.tools).toHaveLength(1);
  const { approvalId } = session.seen.approvals[0]!;
  await session.handle.executeUpdate('decideApproval', { args: [{ approvalId, outcome: 'cancel' }] });
  await session.handle.result();
  expect(session.seen.tools).toHaveLength(1);
});

test('a click that nobody saw end goes to a person, and the model hears what the person says', async () => {
  const session = await start({
    runModelTurn: [thinks('', [aCall('call_1')]), thinks('Ordered.')],
    runCommands: [async (input) => ran(input, 'unknown')],
    getCommandOutcome: [{ status: 'unknown', unknown: anUnknown() }],
  });
  await session.published('WORKFLOW_PAUSED');
  await session.handle.executeUpdate('resolveUnknown', { args: [{ commandId: 'c1', happened: true }] });
  await session.handle.result();
  expect(session.seen.thought[1]?.ends).toMatchObject([
    { callId: 'call_1', status: 'success', message: expect.stringContaining('a person has looked') },
  ]);
});

test('free calls run side by side, and their ends come in the order of the calls', async () => {
  const slow = held<unknown, { status: 'success'; summary: string; durationMs: number }>();
  const run = { kind: 'tool', isFree: true, timeoutMs: 5000 } as const;
  const session = await start({
    runModelTurn: [
      thinks('', [aToolCall('call_1', 'read_a', { run }), aToolCall('call_2', 'read_b', { run })]),
      thinks('Done.'),
    ],
    runTool: [slow.answer],
  });
  await slow.asked;
  await eventually('the second one', () => session.seen.tools.length === 2);
  slow.give({ status: 'success', summary: 'late', durationMs: 9 });
  await session.handle.result();
  expect(session.seen.thought[1]?.ends.map(({ callId }) => callId)).toEqual(['call_1', 'call_2']);
});

test('[S0.R10, S0.A1, S0.A2] cancelling during a tool cancels the task and the calls behind it', async () => {
  const slow = held<unknown, { status: 'success'; summary: string; durationMs: number }>();
  const session = await start({
    runModelTurn: [thinks('', [aToolCall('call_1', 'slow'), aToolCall('call_2', 'next')])],
    runTool: [slow.answer],
  });
  await slow.asked;
  await session.handle.cancel();
  slow.give({ status: 'success', summary: 'done', durationMs: 1 });
  await expect(session.handle.result()).rejects.toThrow();
  expect(session.seen.tools).toHaveLength(1);
  expect(taskEnd(session)).toEqual({ kind: 'task-end', status: 'error', answer: 'Task was cancelled.', turns: 1 });
  expect(session.seen.log.find(({ type }) => type === 'STEP_FAILED')?.data.step?.status).toBe('CANCELLED');
  expect(factsOf(session, 'result')).toMatchObject([{ callId: 'call_2', isUnrun: true }]);
});

test('[S0.A2] a session that is cancelled before its first model call asks no model and has no turn', async () => {
  const lease = held<unknown, void>();
  const session = await harness.start(
    { steps: [{ task: 'Find the cheapest bean' }] },
    { runModelTurn: [], openSession: [lease.answer] },
  );
  await lease.asked;
  await session.handle.cancel();
  lease.give();
  await expect(session.handle.result()).rejects.toThrow();
  expect(session.seen.thought).toEqual([]);
});

test('a model that fails for good is followed by the next of the list within the task', async () => {
  const session = await harness.start(
    { steps: [{ task: 'Find it', aiConfig: { model: 'genai/gemini-2.5-flash,genai/gemini-2.5-pro' } }] },
    { runModelTurn: [failing('AI005'), thinks('Found.')] },
  );
  expect(await session.handle.result()).toMatchObject({ status: 'COMPLETED' });
  expect(session.seen.log.find(({ type }) => type === 'WARNING_ISSUED')?.data.warning?.details).toMatchObject({
    kind: 'agent.model_fallback',
  });
});

test.each([
  ['a plain task', {}, {}, { model: 'genai/gemini-2.5-flash', isReadFirst: true }],
  [
    'a task that returns a result',
    { result: { schema: { type: 'object' } } },
    {},
    { model: 'rules', isReadFirst: undefined },
  ],
  [
    'a task in a browser of the caller',
    {},
    { executor: 'client', clientQueue: 'nobody' },
    { model: 'rules', isReadFirst: undefined },
  ],
] as const)('with rules first in the list %s is led by whom it was', async (_, task, agent, expected) => {
  const session = await harness.start(
    {
      steps: [{ task: 'Click "Add one"', ...task, aiConfig: { model: 'rules,genai/gemini-2.5-flash' } }],
      config: { agent },
    } as never,
    { runModelTurn: [thinks('Done.')] },
  );
  await session.handle.result();
  const [{ step, isReadFirst }] = session.seen.thought as [ModelTurnInput];
  expect({ model: step.options.aiConfig.model, isReadFirst }).toEqual(expected);
});

test('the records of a task say their turn, and S2 types are owned by the task loop', async () => {
  const session = await start({ runModelTurn: [thinks('', [aCall('call_1')]), thinks('Done.')] });
  await session.handle.result();
  const over = session.seen.log.filter(({ type }) => type === AgentEventType.TurnComplete);
  expect(over.map(({ owner, turn, stepIndex }) => ({ owner, turn, stepIndex }))).toEqual([
    { owner: 'task-loop', turn: 0, stepIndex: 0 },
    { owner: 'task-loop', turn: 1, stepIndex: 0 },
  ]);
});
