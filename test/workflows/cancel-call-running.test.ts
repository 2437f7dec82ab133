import { WorkflowUpdateFailedError } from '@temporalio/client';
import type { ApplicationFailure } from '@temporalio/common';
import type {
  RunToolInput,
  ModelTurnInput,
  ModelTurnOutput,
  ToolEnd,
} from '../../activities/signatures/task-activities';
import type { Lease, RunCommandsInput, RunCommandsOutput } from '../../activities/signatures/browser-activities';
import type { PlannedCall } from '../../contracts/tools/planned-call';
import { eventually } from '../support/eventually';
import {
  aCall,
  aLease,
  anUnknown,
  aToolCall,
  CLIENT_QUEUE,
  held,
  ran,
  stopped,
  thinks,
  type Call,
  type Script,
} from '../support/fake-activities';
import { useWorkflowHarness, type Session } from '../support/workflow-harness';

const harness = useWorkflowHarness();

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

test('a click that is under way is heard to its end, and what it did counts', async () => {
  const begun = Promise.withResolvers<void>();
  const click = async (input: RunCommandsInput, { signal }: Call): Promise<RunCommandsOutput> => {
    begun.resolve();
    await stopped(signal);
    return ran(input);
  };
  const session = await calling([aCall('call_1')], { runCommands: [click] });
  await begun.promise;
  await cancel(session, 'call_1');
  await session.handle.result();
  expect(endsOf(session)).toEqual([{ callId: 'call_1', status: 'success' }]);
  expect(session.seen.thought[1]?.notes).toHaveLength(1);
});

test('a call that waits for a browser is given up, and the next one gets the browser', async () => {
  const lease = held<unknown, Lease>();
  const session = await calling([aCall('call_1'), aCall('call_2')], {
    acquireBrowser: [lease.answer],
    endCancelledCall: ['unrun'],
  });
  await lease.asked;
  await eventually('it waits, and is cancelled', () => cancel(session, 'call_1', 'too slow').catch(() => undefined));
  await eventually('its end is recorded', () => resultsOf(session).length === 1);
  expect(session.seen.batches).toEqual([]);
  lease.give(aLease());
  await session.handle.result();
  expect(resultsOf(session)).toMatchObject([{ callId: 'call_1', isUnrun: true }]);
  expect(session.seen.batches.map(({ commands }) => commands[0]?.commandId)).toEqual(['command of call_2']);
  expect(endsOf(session)).toMatchObject([
    { callId: 'call_1', status: 'cancelled', message: expect.stringContaining('too slow') },
    { callId: 'call_2', status: 'success' },
  ]);
});

test.each([
  ['pure', 'may be done in part', undefined],
  ['commit', 'whether it took effect is unknown', true],
] as const)(
  'a %s call in the process of the caller is stopped there; its end is stored and recorded',
  async (effect, words, isUnknown) => {
    const call = aCall('call_1', { name: 'look_up', effect, run: { kind: 'client', timeoutMs: 5000 } });
    const session = await calling(
      [call],
      {
        executeTool: [
          async (_input, { signal }) => {
            await stopped(signal);
            throw signal.reason;
          },
        ],
      },
      { executor: 'client', clientQueue: CLIENT_QUEUE },
    );
    await eventually('it runs', () => session.seen.executed.length === 1);
    await cancel(session, 'call_1', 'it hangs');
    await session.handle.result();
    expect(session.seen.toolEnds).toMatchObject([
      { callId: 'call_1', result: { success: false, error: expect.stringContaining(words) } },
    ]);
    expect(session.seen.toolEnds[0]?.isUnknown).toBe(isUnknown);
    expect(endsOf(session)).toMatchObject([{ callId: 'call_1', status: 'cancelled' }]);
    expect(session.seen.executed).toHaveLength(1);
  },
);

test('a relayed call that was never sent is given back, and was not begun', async () => {
  const call = aCall('call_1', { name: 'computer', run: { kind: 'relay', timeoutMs: 15_000 } });
  const session = await calling(
    [call],
    {
      relayCall: [
        async (_input, { signal }) => {
          await stopped(signal);
          throw signal.reason;
        },
      ],
    },
    { executor: 'relay', browserSessionId: 'browser-1', waitForBrowserMs: 60_000 },
  );
  await eventually('it waits', () => session.seen.relayed.length === 1);
  await cancel(session, 'call_1');
  await session.handle.result();
  expect(endsOf(session)).toMatchObject([{ status: 'cancelled', message: expect.stringContaining('before it began') }]);
  expect(session.seen.toolEnds[0]).not.toHaveProperty('isUnknown');
});

test('what makes no sense to cancel is refused with the reason; as a signal it is ignored', async () => {
  const last = held<ModelTurnInput, ModelTurnOutput>();
  const session = await start({
    runModelTurn: [thinks('', [aCall('call_1')]), last.answer],
    runCommands: [async (input) => ran(input, 'unknown')],
    getCommandOutcome: [{ status: 'unknown', unknown: anUnknown() }],
  });
  await session.published('WORKFLOW_PAUSED');
  expect(await refusalOf(cancel(session, 'call_9'))).toBe(
    "WrongState: Call call_9 can't be cancelled: it is none of the calls under way.",
  );
  expect(await refusalOf(cancel(session, 'call_1'))).toMatch(/a person is asked whether .*resolve-unknown/);
  expect(await refusalOf(cancel(session, ''))).toMatch(/^SP001: callId: /);
  await session.handle.signal('cancelCall', { callId: 'call_9' });
  await session.handle.signal('cancelCall', 'nonsense');
  await session.handle.executeUpdate('resolveUnknown', { args: [{ commandId: 'c1', happened: true }] });
  await last.asked;
  expect(await refusalOf(cancel(session, 'call_1'))).toContain('it has ended already (success)');
  last.give(thinks('Done.'));
  await session.handle.result();
});

test('cancelled by a signal, it is as cancelled by an update', async () => {
  const slow = held<RunToolInput, ToolEnd>();
  const session = await calling([aToolCall('call_1', 'a'), aToolCall('call_2', 'b')], { runTool: [slow.answer] });
  await slow.asked;
  await session.handle.signal('cancelCall', { callId: 'call_2', reason: 'enough' });
  await eventually('its end is recorded', () => resultsOf(session).length === 1);
  slow.give({ status: 'success', summary: 'done', durationMs: 1 });
  await session.handle.result();
  expect(session.seen.tools).toHaveLength(1);
});

test('[S2.R13] cancelling the session after one of its calls records the end of that call once', async () => {
  const slow = held<RunToolInput, ToolEnd>();
  const calls = ['call_1', 'call_2', 'call_3'].map((id) => aToolCall(id, 'do'));
  const session = await start({ runModelTurn: [thinks('', calls)], runTool: [slow.answer] });
  await slow.asked;
  await cancel(session, 'call_2');
  await session.handle.cancel();
  slow.give({ status: 'success', summary: 'done', durationMs: 1 });
  await expect(session.handle.result()).rejects.toThrow();
  expect(resultsOf(session).map(({ callId }) => callId)).toEqual(['call_2', 'call_3']);
});
