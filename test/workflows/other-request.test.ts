/** A command whose page would have sent something else than was approved: a person is asked once more, and then no more. */
import type { RunCommandsInput, RunCommandsOutput } from '../../activities/signatures/browser-activities';
import type { PlanCallInput } from '../../activities/signatures/task-activities';
import type { PlannedCall } from '../../contracts/tools/planned-call';
import { eventually } from '../support/eventually';
import { aCall, ran, thinks } from '../support/fake-activities';
import { useWorkflowHarness, type Session } from '../support/workflow-harness';

const harness = useWorkflowHarness();

const card = { type: 'info', title: 'Press “Pay”?', prompt: 'It pays.' } as const;
const differences = ['amount would be “900”, and “10” was approved.'];

/** What is held does not leave, as often as `times` says. */
function holding(times: number) {
  let held = 0;
  return async (input: RunCommandsInput): Promise<RunCommandsOutput> => {
    const isHeld = input.commands.length > 0 && (held += 1) <= times;
    if (!isHeld) return ran(input);
    const output = ran(input, 'failed');
    return { ...output, outcomes: output.outcomes.map((each) => ({ ...each, differences })) };
  };
}

const call = aCall('call_1', { card, classification: 'destructive' });

/** The second try is another command. */
async function plan({ isAskedAgain }: PlanCallInput): Promise<PlannedCall> {
  const { run } = call;
  if (isAskedAgain !== true || run.kind !== 'browser') return call;
  const command = { ...run.command, commandId: `${run.command.commandId}, again` };
  return { ...call, isAskedAgain, run: { kind: 'browser', command } };
}

async function begin(times: number): Promise<Session> {
  const answer = holding(times);
  const session = await harness.start(
    { steps: [{ task: 'Pay for the beans' }] },
    {
      runModelTurn: [thinks('I pay.', [call]), thinks('Paid.')],
      runCommands: Array.from({ length: 20 }, () => answer),
      planCall: Array.from({ length: 20 }, () => plan),
    },
  );
  await eventually('the first question', () => pending(session).length === 1);
  return session;
}

const pending = (session: Session) => session.seen.approvals.filter(({ status }) => status === 'pending');

async function decide(session: Session, answer: object): Promise<void> {
  const { approvalId } = pending(session)[0]!;
  await session.handle.executeUpdate('decideApproval', { args: [{ approvalId, ...answer }] });
  await eventually('the answer is in the log', () =>
    pending(session).every((question) => question.approvalId !== approvalId),
  );
}

const secondQuestion = (session: Session) => eventually('the second question', () => pending(session)[0]);
const run = (session: Session) =>
  session.seen.batches.flatMap(({ commands }) => commands.map(({ commandId }) => commandId));
const results = (session: Session) =>
  session.seen.log.flatMap(({ facts }) => (facts?.kind === 'result' ? [facts] : []));

test.each(['proceed_once', 'proceed_always'])(
  'after %s a person is asked once more, with what would have left, and a yes to that runs it',
  async (outcome) => {
    const session = await begin(1);
    await decide(session, { outcome });
    const second = await secondQuestion(session);
    expect(second).toMatchObject({
      approvalId: 'appr_1-again',
      callId: 'call_1',
      changes: differences,
      card: { prompt: expect.stringContaining(differences[0]!) },
    });
    await decide(session, { outcome: 'proceed_once' });
    expect(await session.handle.result()).toMatchObject({ status: 'COMPLETED' });
    if (outcome === 'proceed_once') await session.keepHistory('other-request');
    expect(run(session)).toEqual(['command of call_1', 'command of call_1, again']);
    expect(session.seen.thought[1]?.ends).toMatchObject([{ callId: 'call_1', status: 'success' }]);
  },
);

test('a no to what would have left ends the call, with one result', async () => {
  const session = await begin(1);
  await decide(session, { outcome: 'proceed_once' });
  await secondQuestion(session);
  await decide(session, { outcome: 'cancel', reason: 'too dear' });
  await session.handle.result();
  expect(run(session)).toEqual(['command of call_1']);
  expect(results(session)).toMatchObject([{ callId: 'call_1', isUnrun: true, summary: 'rejected by user: too dear' }]);
  expect(session.seen.thought[1]?.ends).toMatchObject([{ callId: 'call_1', status: 'cancelled' }]);
});

test('nobody is asked a third time: where something else would leave again, the call has failed', async () => {
  const session = await begin(2);
  await decide(session, { outcome: 'proceed_once' });
  await secondQuestion(session);
  await decide(session, { outcome: 'proceed_once' });
  expect(await session.handle.result()).toMatchObject({ status: 'COMPLETED' });
  expect(session.seen.approvals).toHaveLength(2);
  expect(run(session)).toHaveLength(2);
  expect(session.seen.thought[1]?.ends).toMatchObject([{ callId: 'call_1', status: 'error' }]);
});

test('a call that is cancelled while it is asked about again ends, and so does its question', async () => {
  const session = await begin(1);
  await decide(session, { outcome: 'proceed_once' });
  await secondQuestion(session);
  await session.handle.executeUpdate('cancelCall', { args: [{ callId: 'call_1', reason: 'no need' }] });
  await session.handle.result();
  expect(session.seen.approvals).toContainEqual(
    expect.objectContaining({ approvalId: 'appr_1-again', status: 'cancelled' }),
  );
  expect(run(session)).toEqual(['command of call_1']);
  expect(results(session)).toMatchObject([{ callId: 'call_1', isUnrun: true }]);
  expect(session.seen.thought[1]?.ends).toMatchObject([{ callId: 'call_1', status: 'cancelled' }]);
});
