import { WorkflowUpdateFailedError } from '@temporalio/client';
import type { ModelTurnInput, ModelTurnOutput } from '../../activities/signatures/task-activities';
import type { RunCommandsInput, RunCommandsOutput } from '../../activities/signatures/browser-activities';
import { eventually } from '../support/eventually';
import { aCall, aToolCall, failing, held, ran, stopped, thinks, type Script } from '../support/fake-activities';
import { useWorkflowHarness, type Session } from '../support/workflow-harness';

const harness = useWorkflowHarness();

const chat = (script: Script, agent: object = {}): Promise<Session> =>
  harness.start({ steps: [{ task: 'Find a bean' }], config: { agent: { stayOpen: true, ...agent } } }, script);

const ends = (session: Session) =>
  session.seen.log.flatMap(({ facts }) => (facts?.kind === 'task-end' ? [facts.answer] : []));
const isIdle = (session: Session, count: number, limitMs?: number) =>
  eventually(
    `${count} waits for a task`,
    () => {
      const waits = session.seen.log.filter(({ data }) => data.details?.['waitingFor'] === 'message');
      return waits.length === count;
    },
    limitMs,
  );
const send = (session: Session, task: string) =>
  session.handle.executeUpdate('addSteps', { args: [{ steps: [{ task }] }] });

test('a conversation stays open after its last task, takes another one, and ends when it is closed', async () => {
  const session = await chat({ runModelTurn: [thinks('Kenya.'), thinks('Seven euros.')] });
  await isIdle(session, 1);
  expect(session.seen.patches.some(({ closed }) => closed)).toBe(false);
  const { currentDetails } = await session.handle.query<{ currentDetails: string }>('__temporal_workflow_metadata');
  expect(currentDetails).toContain('waiting for the next task');
  await send(session, 'What does it cost?');
  await isIdle(session, 2);
  expect(ends(session)).toEqual(['Kenya.', 'Seven euros.']);
  expect(session.seen.thought.map(({ stepIndex, turn }) => [stepIndex, turn])).toEqual([
    [0, 0],
    [1, 0],
  ]);
  await session.handle.executeUpdate('close');
  expect(await session.handle.result()).toMatchObject({ status: 'COMPLETED', completedSteps: 2 });
  await session.keepHistory('conversation');
  expect(session.types().at(-1)).toBe('WORKFLOW_COMPLETED');
});

test('a task that fails does not end the conversation', async () => {
  const session = await chat({ runModelTurn: [failing('AI002', 'the key is not valid'), thinks('Here.')] });
  await isIdle(session, 1);
  expect(ends(session)).toEqual(['LLM call failed: the key is not valid']);
  await send(session, 'Again, please');
  await isIdle(session, 2);
  expect(ends(session).at(-1)).toBe('Here.');
  await session.handle.signal('close');
  expect(await session.handle.result()).toMatchObject({ status: 'COMPLETED' });
});

test('a conversation that is idle for too long ends by itself, and the wait is no active time', async () => {
  const session = await chat({ runModelTurn: [thinks('Kenya.')] }, { idleTimeoutMs: 300 });
  expect(await session.handle.result()).toMatchObject({ status: 'COMPLETED', completedSteps: 1 });
});

test('while a conversation waits its browser is given back, and the next task gets another one', async () => {
  const session = await chat({
    runModelTurn: [thinks('', [aCall('call_1')]), thinks('There.'), thinks('', [aCall('call_2')]), thinks('Here.')],
    pauseReleaseMs: 20,
  });
  const given = () => session.seen.calls.filter((call) => call.startsWith('releaseBrowser')).length;
  await eventually('the browser is given back', () => given() === 1);
  await send(session, 'And now?');
  await isIdle(session, 2);
  expect(session.seen.batches.map(({ lease }) => lease.epoch)).toEqual([1, 2]);
  await session.handle.executeUpdate('close');
  await session.handle.result();
});

test('cancelling the response during a model call ends the task alone: the conversation goes on', async () => {
  const slow = held<ModelTurnInput, ModelTurnOutput>();
  const session = await chat({ runModelTurn: [slow.answer, thinks('Gladly.')] });
  await slow.asked;
  await session.handle.executeUpdate('cancelTurn', { args: [{ reason: 'the user changed their mind' }] });
  await isIdle(session, 1);
  expect(ends(session)).toEqual(['Task was cancelled.']);
  const types = session.types();
  expect(types).toContain('user.cancelled');
  expect(session.seen.log.find(({ type }) => type === 'STEP_FAILED')?.data.step?.status).toBe('CANCELLED');
  await send(session, 'Something else');
  await isIdle(session, 2);
  expect(ends(session).at(-1)).toBe('Gladly.');
  await session.handle.executeUpdate('close');
  await session.handle.result();
  slow.give(thinks('too late'));
});

test('cancelling the response during a click lets it end, runs nothing behind it, keeps the browser', async () => {
  const clicking = Promise.withResolvers<void>();
  const click = async (input: RunCommandsInput, { signal }: { signal: AbortSignal }): Promise<RunCommandsOutput> => {
    clicking.resolve();
    await stopped(signal);
    return ran(input);
  };
  const session = await chat({
    runModelTurn: [thinks('', [aCall('call_1'), aCall('call_2')]), thinks('', [aCall('call_3')]), thinks('Done.')],
    runCommands: [click],
  });
  await clicking.promise;
  await session.handle.executeUpdate('cancelTurn');
  await isIdle(session, 1);
  const results = session.seen.log.flatMap(({ facts }) => (facts?.kind === 'result' ? [facts.callId] : []));
  expect(results).toEqual(['call_2']);
  await send(session, 'Go on');
  await isIdle(session, 2);
  const run = session.seen.batches.map(({ commands }) => commands[0]?.commandId);
  expect(run).toEqual(['command of call_1', 'command of call_3']);
  expect(session.seen.calls.filter((call) => call === 'acquireBrowser')).toHaveLength(1);
  await session.handle.executeUpdate('close');
  await session.handle.result();
});

test('cancelling the response while a person is asked ends the question, and the talk goes on', async () => {
  const card = { type: 'info', title: 'Buy?', prompt: '' } as const;
  const session = await chat({
    runModelTurn: [thinks('', [aToolCall('call_1', 'shop__buy', { card })]), thinks('Fine.')],
  });
  await eventually('the question', () => session.seen.approvals.length === 1);
  await session.handle.executeUpdate('cancelTurn');
  await isIdle(session, 1);
  expect(session.seen.approvals).toMatchObject([{ status: 'cancelled' }]);
  expect(session.seen.tools).toEqual([]);
  expect(session.seen.patches.findLast(({ status }) => status !== undefined)?.status).toBe('ACTIVE');
  await send(session, 'Then not');
  await isIdle(session, 2);
  await session.handle.executeUpdate('close');
  expect(await session.handle.result()).toMatchObject({ status: 'COMPLETED' });
});

async function refusalOf(work: Promise<unknown>): Promise<string> {
  const error: unknown = await work.catch((reason: unknown) => reason);
  if (!(error instanceof WorkflowUpdateFailedError)) throw new Error('it was expected to be refused');
  return error.cause!.message;
}

test('what makes no sense is refused: a response that nobody gives, a second close, tasks after it', async () => {
  const last = held<ModelTurnInput, ModelTurnOutput>();
  const session = await chat({ runModelTurn: [thinks('Kenya.'), last.answer] });
  await isIdle(session, 1);
  expect(await refusalOf(session.handle.executeUpdate('cancelTurn'))).toContain('not giving one');
  await send(session, 'One more');
  await last.asked;
  await session.handle.executeUpdate('close');
  expect(await refusalOf(session.handle.executeUpdate('close'))).toContain('closing');
  expect(await refusalOf(send(session, 'And one more'))).toContain('closing');
  last.give(thinks('Last words.'));
  expect(await session.handle.result()).toMatchObject({ status: 'COMPLETED', completedSteps: 2 });
});

test('a session of steps can neither be closed nor lose its response alone', async () => {
  const slow = held<ModelTurnInput, ModelTurnOutput>();
  const session = await harness.start({ steps: [{ task: 'Find a bean' }] }, { runModelTurn: [slow.answer] });
  await slow.asked;
  expect(await refusalOf(session.handle.executeUpdate('close'))).toContain('no conversation');
  expect(await refusalOf(session.handle.executeUpdate('cancelTurn'))).toContain('cancel the session instead');
  slow.give(thinks('Kenya.'));
  await session.handle.result();
});

test('a conversation takes more than a hundred tasks, and stores each at its place', async () => {
  const count = 104;
  const session = await harness.start(
    {
      steps: Array.from({ length: 98 }, (_, n) => ({ task: `task ${n}` })),
      config: { agent: { stayOpen: true, executor: 'client', clientQueue: 'nobody' } },
    },
    { runModelTurn: Array.from({ length: count }, (_, n) => thinks(`answer ${n}`)) },
  );
  await isIdle(session, 1, 150_000);
  for (let n = 98; n < count; n += 1) {
    await send(session, `task ${n}`);
    await eventually(`answer ${n}`, () => ends(session).length === n + 1);
  }
  await session.handle.executeUpdate('close');
  expect(await session.handle.result()).toMatchObject({ completedSteps: count });
  expect(session.seen.stored.map(({ firstIndex }) => firstIndex)).toEqual([98, 99, 100, 101, 102, 103]);
}, 240_000);
