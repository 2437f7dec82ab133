import { CallStateReporter } from '../../../../client/agent/tools/call-state-reporter';
import { ClientCalls, type ClientCall } from '../../../../client/agent/tools/client-calls';
import { createToolRunner } from '../../../../client/agent/tools/process-tools';
import { ToolScheduler } from '../../../../client/agent/tools/tool-scheduler';
import { ClientError, type Sessions } from '../../../../service/port/port';
import { ToolConfirmationOutcome } from '../../../../contracts/approvals/confirmation-outcome';
import { RemoteCalls } from '../../../../workflows/turns/remote-calls';
import { aCard, aTool, type ToolScript } from './scripted-tools';

const CALL = { sessionId: 's', callId: 'call_1', name: 'echo', args: { text: 'hello' } };

/** The session's side of it: what the workflow keeps, without the workflow. */
function aSession(): { elsewhere: RemoteCalls; sessions: Pick<Sessions, 'reportCall'>; send(): ClientCall } {
  const elsewhere = new RemoteCalls();
  const reportCall: Sessions['reportCall'] = async (_sessionId, note) => {
    if (!elsewhere.isCurrent(note)) throw new ClientError('wrong-state', 'SP001', 'it is with another process');
    elsewhere.setStatus(note);
    return await Promise.resolve({ status: 'ACTIVE', pauseRequested: false, totalSteps: 1 } as never);
  };
  return { elsewhere, sessions: { reportCall }, send: () => ({ ...CALL, dispatch: elsewhere.send(CALL.callId) }) };
}

/** A process with a tool that asks. */
function aProcess(sessions: Pick<Sessions, 'reportCall'>, details: ToolScript['details'] = aCard().details) {
  const tool = aTool({ details });
  let isAsking = (): void => {};
  const asking = new Promise<void>((resolve) => (isAsking = resolve));
  const scheduler = new ToolScheduler({
    tools: [tool],
    onToolCallsUpdate: (calls) => void (calls.some(({ status }) => status === 'awaiting_approval') && isAsking()),
  });
  const notes = new CallStateReporter(sessions);
  const calls = new ClientCalls(createToolRunner(scheduler, { callStates: notes }), (call) => notes.reportAgain(call));
  const approve = () => scheduler.handleConfirmationResponse(CALL.callId, ToolConfirmationOutcome.ProceedOnce);
  return { tool, calls, asking, approve };
}

test('a call waits for its person with the knowledge of its session, and begins with it', async () => {
  const { elsewhere, sessions, send } = aSession();
  const { tool, calls, asking, approve } = aProcess(sessions);
  const result = calls.result(send());
  await asking;
  expect(elsewhere.isAsking(CALL.callId)).toBe(true);
  await approve();
  expect(await result).toMatchObject({ success: true });
  expect(elsewhere.isAsking(CALL.callId)).toBe(false);
  expect(tool.runs).toHaveLength(1);
});

test('of two processes with one waiting call, only the one that it was dispatched to last runs it', async () => {
  const { sessions, send } = aSession();
  const [first, second] = [aProcess(sessions), aProcess(sessions)];
  const slept = first.calls.result(send());
  await first.asking;
  const taken = second.calls.result(send());
  await second.asking;
  await first.approve();
  expect(await slept).toEqual({ success: false, error: expect.stringContaining('approved, but not run') });
  await second.approve();
  expect(await taken).toMatchObject({ success: true });
  expect([first.tool.runs.length, second.tool.runs.length]).toEqual([0, 1]);
});

test('a process that gets a waiting call again after it was unreachable runs it when it is approved', async () => {
  const { elsewhere, sessions, send } = aSession();
  const { tool, calls, asking, approve } = aProcess(sessions);
  const before = calls.result(send());
  await asking;
  const after = calls.result(send());
  expect(elsewhere.isAsking(CALL.callId)).toBe(true);
  await approve();
  expect(await after).toMatchObject({ success: true });
  expect(await before).toEqual(await after);
  expect(tool.runs).toHaveLength(1);
});

test('a call whose state can not be reported to the session requires no approval and does not run', async () => {
  const { sessions } = aSession();
  const { tool, calls } = aProcess(sessions);
  expect(await calls.result({ ...CALL, dispatch: 7 })).toEqual({
    success: false,
    error: expect.stringContaining('it is with another process'),
  });
  expect(tool.runs).toEqual([]);
});

test('a call without approval reports nothing', async () => {
  const reportCall = (): never => {
    throw new Error('it was reported');
  };
  const { tool, calls } = aProcess({ reportCall }, false);
  expect(await calls.result({ ...CALL, dispatch: 1 })).toMatchObject({ success: true });
  expect(tool.runs).toHaveLength(1);
});
