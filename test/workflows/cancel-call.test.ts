import { WorkflowUpdateFailedError } from '@temporalio/client';
import type { ApplicationFailure } from '@temporalio/common';
import type { RunToolInput, ToolEnd } from '../../activities/signatures/task-activities';
import type { RunCommandsInput, RunCommandsOutput } from '../../activities/signatures/browser-activities';
import type { PlannedCall } from '../../contracts/tools/planned-call';
import { eventually } from '../support/eventually';
import { aCall, aToolCall, held, ran, stopped, thinks, type Call, type Script } from '../support/fake-activities';
import { useWorkflowHarness, type Session } from '../support/workflow-harness';

const harness = useWorkflowHarness();

const card = { type: 'info', title: 'Buy?', prompt: '' } as const;

const start = (script: Script, agent: object = {}): Promise<Session> =>
  harness.start({ steps: [{ task: 'Find a bean' }], config: { agent } }, script);
/** A task whose first reply has these calls, and whose second is its answer. */
const calling = (calls: PlannedCall[], more: Script = {}, agent: object = {}): Promise<Session> =>
  start({ runModelTurn: [thinks('', calls), thinks('Done.')], ...more }, agent);

const cancel = (session: Session, callId: string, reason?: string) =>
  session.handle.executeUpdate('cancelCall', { args: [{ callId, ...(reason === undefined ? {} : { reason }) }] });
const resultsOf = (session: Session) =>
  session.seen.log.flatMap(({ facts }) => (facts?.kind === 'result' ? [facts] : []));
const endsOf = (session: Session) => session.seen.thought[1]?.ends;

async function refusalOf(work: Promise<unknown>): Promise<string> {
  const error: unknown = await work.catch((reason: unknown) => reason);
  if (!(error instanceof WorkflowUpdateFailedError)) throw new Error('it was expected to be refused');
  const { type, message } = error.cause as ApplicationFailure;
  return `${type}: ${message}`;
}

test('[S2.R6] a call that has not begun never begins, with an end and a reason, and the others run', async () => {
  const slow = held<RunToolInput, ToolEnd>();
  const calls = ['call_1', 'call_2', 'call_3'].map((id) => aToolCall(id, `do_${id}`));
  const session = await calling(calls, { runTool: [slow.answer] });
  await slow.asked;
  expect(await cancel(session, 'call_2', 'not that one')).toMatchObject({ totalSteps: 1 });
  // Before the one that runs has ended.
  expect(resultsOf(session)).toMatchObject([
    { callId: 'call_2', isUnrun: true, summary: 'cancelled by user: not that one' },
  ]);
  expect(await refusalOf(cancel(session, 'call_2'))).toBe(
    "WrongState: Call call_2 can't be cancelled: it has ended already (cancelled).",
  );
  slow.give({ status: 'success', summary: 'done', durationMs: 1 });
  expect(await session.handle.result()).toMatchObject({ status: 'COMPLETED' });
  await session.keepHistory('cancel-call');
  expect(session.seen.tools.map(({ callId }) => callId)).toEqual(['call_1', 'call_3']);
  expect(endsOf(session)).toMatchObject([
    { callId: 'call_1', status: 'success' },
    { callId: 'call_2', status: 'cancelled', message: expect.stringContaining('before it began') },
    { callId: 'call_3', status: 'success' },
  ]);
  expect(endsOf(session)![1]!.message).toContain('Their reason: not that one');
});

test('[S2.R6] a call that waits for an approval is asked about no more; the question beside it stays open', async () => {
  const free = { kind: 'tool', isFree: true, timeoutMs: 5000 } as const;
  const calls = ['call_1', 'call_2'].map((id) => aToolCall(id, `read_${id}`, { card, run: free }));
  const session = await calling(calls);
  const pending = () => session.seen.approvals.filter(({ status }) => status === 'pending');
  await eventually('the questions', () => pending().length === 2);
  await cancel(session, 'call_1', 'no need');
  await eventually('it is withdrawn', () => pending().length === 1);
  expect(session.seen.approvals).toContainEqual(
    expect.objectContaining({ callId: 'call_1', status: 'cancelled', reason: 'cancelled by user: no need' }),
  );
  const answer = (approvalId: string) =>
    session.handle.executeUpdate('decideApproval', { args: [{ approvalId, outcome: 'proceed_once' }] });
  expect(await refusalOf(answer('appr_1'))).toContain('waiting for appr_2');
  await answer('appr_2');
  await session.handle.result();
  expect(session.seen.tools.map(({ callId }) => callId)).toEqual(['call_2']);
  expect(endsOf(session)).toMatchObject([
    { callId: 'call_1', status: 'cancelled' },
    { callId: 'call_2', status: 'success' },
  ]);
  expect(resultsOf(session)).toMatchObject([{ callId: 'call_1', isUnrun: true }]);
});

test('a call that was approved and cancelled before it runs is not asked about again', async () => {
  const again = held<unknown, PlannedCall>();
  const call = aToolCall('call_1', 'shop__buy', { card });
  const session = await calling([call], { planCall: [again.answer] });
  await eventually('the question', () => session.seen.approvals.length === 1);
  await session.handle.executeUpdate('decideApproval', { args: [{ approvalId: 'appr_1', outcome: 'proceed_once' }] });
  await again.asked;
  await cancel(session, 'call_1');
  again.give({ ...call, hash: 'another page' });
  await session.handle.result();
  expect(session.seen.tools).toEqual([]);
  expect(session.seen.approvals).toMatchObject([{ approvalId: 'appr_1', status: 'approved' }]);
  expect(endsOf(session)).toMatchObject([{ callId: 'call_1', status: 'cancelled' }]);
});

test('[S2.R6] a tool that runs sees its signal and ends cancelled; the others go on', async () => {
  const free = { kind: 'tool', isFree: true, timeoutMs: 5000 } as const;
  const begun = Promise.withResolvers<void>();
  const slow = async (_input: RunToolInput, { signal }: Call): Promise<ToolEnd> => {
    begun.resolve();
    await stopped(signal);
    return { status: 'error', summary: 'cancelled while it ran', durationMs: 5, isCancelled: true };
  };
  const beside = held<RunToolInput, ToolEnd>();
  const session = await calling(
    [
      aToolCall('call_1', 'read_a', { run: free, effect: 'pure' }),
      aToolCall('call_2', 'read_b', { run: free, effect: 'pure' }),
      aToolCall('call_3', 'notes__add'),
    ],
    { runTool: [slow, beside.answer] },
  );
  await begun.promise;
  await beside.asked;
  await cancel(session, 'call_1', 'it hangs');
  beside.give({ status: 'success', summary: 'done', durationMs: 1 });
  await session.handle.result();
  expect(endsOf(session)).toMatchObject([
    { callId: 'call_1', status: 'cancelled', message: expect.stringContaining('it hangs') },
    { callId: 'call_2', status: 'success' },
    { callId: 'call_3', status: 'success' },
  ]);
  expect(session.seen.tools).toHaveLength(3);
});

test('a tool that is through before it can be stopped has succeeded, and the model hears of the wish', async () => {
  const quick = async (_input: RunToolInput, { signal }: Call): Promise<ToolEnd> => {
    await stopped(signal);
    return { status: 'success', summary: 'sent', durationMs: 5 };
  };
  const session = await calling([aToolCall('call_1', 'mail__send')], { runTool: [quick] });
  await eventually('it runs', () => session.seen.tools.length === 1);
  await cancel(session, 'call_1', 'wrong address');
  expect(await refusalOf(cancel(session, 'call_1'))).toMatch(/being cancelled already|has ended already|is COMPLETED/);
  await session.handle.result();
  expect(endsOf(session)).toEqual([{ callId: 'call_1', status: 'success' }]);
  expect(session.seen.thought[1]?.notes).toEqual([expect.stringMatching(/mail__send.*through.*wrong address/)]);
});

test.each([
  ['unrun', { isUnrun: true }],
  ['stopped', undefined],
] as const)('a tool whose worker says nothing is ended by its journal: %s', async (came, result) => {
  const silent = async (_input: RunToolInput, { signal }: Call): Promise<ToolEnd> => {
    await stopped(signal);
    throw signal.reason;
  };
  const session = await calling([aToolCall('call_1', 'notes__add')], { runTool: [silent], endCancelledCall: [came] });
  await eventually('it runs', () => session.seen.tools.length === 1);
  await cancel(session, 'call_1');
  await session.handle.result();
  expect(endsOf(session)).toMatchObject([{ callId: 'call_1', status: 'cancelled' }]);
  expect(resultsOf(session)).toMatchObject(result === undefined ? [] : [result]);
});

test('a look in the own browser is stopped and closed in the journal, and the page is seen anew', async () => {
  const begun = Promise.withResolvers<void>();
  const waitingFor = async (input: RunCommandsInput, { signal }: Call): Promise<RunCommandsOutput> => {
    begun.resolve();
    await stopped(signal);
    return { ...ran(input), outcomes: [], isInterrupted: true };
  };
  const look = aCall('call_1', { name: 'wait', effect: 'pure', classification: 'read' });
  const session = await calling([look, aCall('call_2')], {
    runCommands: [waitingFor],
    getCommandOutcome: [{ status: 'begun' }],
  });
  await begun.promise;
  await cancel(session, 'call_1', 'it never comes');
  await session.handle.result();
  const batches = session.seen.batches.map(({ commands }) => commands.map(({ commandId }) => commandId));
  expect(batches).toEqual([['command of call_1'], [], ['command of call_2']]);
  expect(session.seen.calls).toContain('endCancelledCall');
  expect(endsOf(session)).toMatchObject([
    { callId: 'call_1', status: 'cancelled', message: expect.stringContaining('it never comes') },
    { callId: 'call_2', status: 'success' },
  ]);
  expect(session.seen.calls.filter((call) => call === 'acquireBrowser')).toHaveLength(1);
});

test('after a click stopped midway a person is asked before any other commit there, in every mode', async () => {
  const begun = Promise.withResolvers<void>();
  const clicking = async (input: RunCommandsInput, { signal }: Call): Promise<RunCommandsOutput> => {
    begun.resolve();
    await stopped(signal);
    return { ...ran(input), outcomes: [], isInterrupted: true };
  };
  const session = await calling(
    [aCall('call_1'), aCall('call_2', { name: 'press_key' })],
    { runCommands: [clicking], getCommandOutcome: [{ status: 'begun' }] },
    { approvalMode: 'yolo' },
  );
  await begun.promise;
  await cancel(session, 'call_1');
  await eventually('a person is asked', () => session.seen.approvals.length === 1);
  expect(session.seen.approvals).toMatchObject([
    { callId: 'call_2', card: { prompt: expect.stringContaining('An earlier action in the browser was begun') } },
  ]);
  // The click, then the page for the model, then the page that the person is shown.
  const batches = session.seen.batches.map(({ commands, view }) => [commands.length, view?.commandId]);
  expect(batches).toEqual([
    [1, undefined],
    [0, undefined],
    [0, 'command of call_2'],
  ]);
  await session.handle.executeUpdate('cancel');
});
