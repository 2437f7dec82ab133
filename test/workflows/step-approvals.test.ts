import type { ConfirmationCard } from '../../contracts/approvals/approval';
import type { RunCommandsInput } from '../../activities/signatures/browser-activities';
import type { PlannedStepCommand, PlanStepCommandInput } from '../../activities/signatures/task-activities';
import { eventually } from '../support/eventually';
import { aCall, planned, ran, says, type Script } from '../support/fake-activities';
import { useWorkflowHarness, type Session } from '../support/workflow-harness';

const harness = useWorkflowHarness();
const card: ConfirmationCard = { type: 'info', title: 'Click “Place order”?', prompt: 'It may cost money.' };

/** Asks about the last of so many commands. */
const asking =
  (count: number, hash = 'as shown') =>
  async ({ commands, isAskedAgain }: PlanStepCommandInput): Promise<PlannedStepCommand> => {
    const own = commands[count - 1]!;
    const command = { ...own, commandId: `${own.commandId}${isAskedAgain === true ? '-again' : ''}`, viewDigest: hash };
    const again = isAskedAgain === undefined ? {} : { isAskedAgain };
    const call = aCall('call_1', { name: 'CLICK_ELEMENT', card, hash, run: { kind: 'browser', command }, ...again });
    return { count, asks: true, call };
  };
const free = (count: number) => async (): Promise<PlannedStepCommand> => ({
  count,
  asks: false,
  call: aCall('call_0'),
});
const held = (status: string) => (status === 'failed' ? ['amount is “900”.'] : undefined);
const commands = [planned('c1', 'INPUT_TEXT'), planned('c2', 'HANDLE_DIALOG'), planned('c3')];
const decided = says('PROCEED', commands, { asksForDeeds: true });

async function start(script: Script, more: object = {}): Promise<Session> {
  return await harness.start({ steps: [{ instruction: 'Buy a bean', retryOnFailure: true }], ...more }, script);
}

const pending = (session: Session) => session.seen.approvals.filter(({ status }) => status === 'pending');
const batches = (session: Session) =>
  session.seen.batches
    .map(({ commands: of }) => of.map(({ commandId }) => commandId))
    .filter(({ length }) => length > 0);

async function decide(session: Session, answer: object): Promise<void> {
  await eventually('the question', () => pending(session).length === 1);
  const { approvalId } = pending(session)[0]!;
  await session.handle.executeUpdate('decideApproval', { args: [{ approvalId, ...answer }] });
  await eventually('the answer', () => pending(session).every((each) => each.approvalId !== approvalId));
}

test('a deed of a step waits for its answer, right before it and with the answer of its dialog', async () => {
  const session = await start({
    decide: [decided],
    planStepCommand: [free(1), asking(2), asking(2), asking(2)],
  });
  await eventually('the question', () => pending(session).length === 1);
  expect(batches(session)).toEqual([['c1']]);
  await decide(session, { outcome: 'proceed_once', reason: 'it is cheap' });
  expect(await session.handle.result()).toMatchObject({ status: 'COMPLETED' });
  expect(batches(session)).toEqual([['c1'], ['c2', 'c3']]);
  expect(session.seen.batches.at(-1)?.commands.at(-1)).toMatchObject({ viewDigest: 'as shown' });
  expect(session.seen.approvals).toMatchObject([{ status: 'approved', reason: 'it is cheap', task: 'Buy a bean' }]);
});

test('a deed that was rejected, or not answered in time, fails its step at once, retries or not', async () => {
  const script = (): Script => ({ decide: [decided], planStepCommand: [asking(3), asking(3)] });
  const session = await start(script());
  await decide(session, { outcome: 'cancel', reason: 'too dear' });
  expect(await session.failure()).toMatchObject({ code: 'TL004' });
  expect(batches(session)).toEqual([]);
  expect(session.seen.stepResults.at(-1)?.error?.message).toContain('rejected by user: too dear. It was not done.');
  const late = await start(script(), { config: { agent: { approvalTimeoutMs: 50 } } });
  expect(await late.failure()).toMatchObject({ code: 'TL004' });
  expect(late.seen.stepResults.at(-1)?.error?.message).toContain('nobody answered in time');
});

test('a page that reads otherwise after the yes is asked about again', async () => {
  const session = await start({
    decide: [says('PROCEED', [planned('c1')], { asksForDeeds: true })],
    planStepCommand: [asking(1), asking(1, 'dearer'), asking(1, 'dearer')],
  });
  await decide(session, { outcome: 'proceed_once' });
  await decide(session, { outcome: 'proceed_once' });
  expect(await session.handle.result()).toMatchObject({ status: 'COMPLETED' });
  expect(session.seen.approvals.map(({ hash }) => hash)).toEqual(['as shown', 'dearer']);
  expect(batches(session)).toEqual([['c1']]);
});

test('where something else would have left than was approved, a person is asked once more, about that', async () => {
  const session = await start({
    decide: [says('PROCEED', [planned('c1')], { asksForDeeds: true })],
    planStepCommand: [asking(1), asking(1), asking(1), asking(1), asking(1)],
    runCommands: Array.from({ length: 10 }, () => async (input: RunCommandsInput) => {
      const [command] = input.commands;
      const output = ran(input, command?.commandId === 'c1' ? 'failed' : 'done');
      return { ...output, outcomes: output.outcomes.map((each) => ({ ...each, differences: held(each.status) })) };
    }),
  });
  await decide(session, { outcome: 'proceed_once' });
  await decide(session, { outcome: 'proceed_once' });
  expect(await session.handle.result()).toMatchObject({ status: 'COMPLETED' });
  expect(batches(session)).toEqual([['c1'], ['c1-again']]);
  expect(session.seen.approvals[1]?.changes).toEqual(['amount is “900”.']);
});
