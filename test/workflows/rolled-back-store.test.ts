import { STORE_BEHIND } from '../../contracts/errors/standard-error';
import { eventually } from '../support/eventually';
import { anUnknown, failing, planned, ran, says } from '../support/fake-activities';
import { useWorkflowHarness, type Session } from '../support/workflow-harness';

const harness = useWorkflowHarness();

const behind = failing('CM002', 'The database was put back to an earlier time.', STORE_BEHIND);
const batches = (session: Session) =>
  session.seen.batches.map(({ commands }) => commands.map((each) => each.commandId));
const pauses = (session: Session) => session.seen.log.filter(({ type }) => type === 'WORKFLOW_PAUSED');

test('a database that has forgotten the session gets all that the workflow knows, and the step goes on', async () => {
  const session = await harness.start(
    { steps: ['Buy a bean'] },
    { decide: [says('PROCEED', [planned('c1')])], runCommands: [behind, async (input) => ran(input)] },
  );
  expect(await session.handle.result()).toMatchObject({ status: 'COMPLETED' });
  expect(batches(session)).toEqual([['c1'], ['c1']]);
  const [recovered] = session.recovered;
  expect(recovered).toMatchObject({ sessionId: session.workflowId, stepIndex: 0, commands: [] });
  expect(recovered?.plan.steps).toHaveLength(1);
  expect(recovered?.outbox.records.map(({ type }) => type)).toEqual([
    'WORKFLOW_STARTED',
    'SESSION_STATUS',
    'STEP_STARTED',
  ]);
  expect(recovered?.outbox.patch).toMatchObject({ status: 'ACTIVE', paused: false, currentStep: 0 });
  expect(pauses(session)).toEqual([]);
});

test('each write names what the workflow knows: its newest record and newest reported command', async () => {
  const session = await harness.start(
    { steps: ['Buy a bean', 'Buy another'] },
    {
      decide: [says('PROCEED', [planned('c1')]), says('PROCEED', [planned('c2')])],
      runCommands: [async (input) => ran(input), async (input) => ran(input)],
    },
  );
  await session.handle.result();
  const [first, second] = session.seen.batches;
  expect(first?.outbox.known?.commandId).toBeUndefined();
  expect(second?.outbox.known).toMatchObject({ commandId: 'c1' });
  const record = session.seen.log.find(({ eventId }) => eventId === second?.outbox.known?.recordId);
  expect(record).toMatchObject({ type: 'STEP_STARTED', stepIndex: 1 });
});

test('a command that never began, because a person had taken over, is nothing that a write names', async () => {
  const session = await harness.start(
    { steps: ['Buy a bean'] },
    {
      decide: [says('PROCEED', [planned('c1')]), says('PROCEED', [planned('c2')]), says('PROCEED')],
      runCommands: [
        async (input) => {
          const output = ran(input, 'failed');
          return { ...output, outcomes: output.outcomes.map((outcome) => ({ ...outcome, isUnrun: true as const })) };
        },
        async (input) => ran(input),
      ],
    },
  );
  await session.handle.result();
  expect(batches(session)).toEqual([['c1'], ['c2']]);
  expect(session.seen.batches[1]?.outbox.known?.commandId).toBeUndefined();
  expect(session.recovered).toEqual([]);
});

test('a commit of an earlier step that the database forgot holds the session for a person', async () => {
  const session = await harness.start(
    { steps: ['Buy a bean', 'Buy another'] },
    {
      decide: [says('PROCEED', [planned('c1')]), says('PROCEED', [planned('c2')])],
      runCommands: [async (input) => ran(input), behind, async (input) => ran(input)],
    },
    { forgotten: ['c1'] },
  );
  await session.published('WORKFLOW_PAUSED');
  const [held] = pauses(session);
  expect(held?.data).toMatchObject({ details: { pausedFor: 'rolled-back-store' } });
  expect(held?.data.message).toMatch(/put back to an earlier time.*CLICK_ELEMENT.*\(step 1, done\)/);
  expect(session.seen.patches.at(-1)).toMatchObject({
    status: 'PAUSED',
    waitingFor: { pausedFor: 'rolled-back-store', message: held?.data.message },
  });
  const before = batches(session).length;
  await session.handle.executeUpdate('resume');
  expect(await session.handle.result()).toMatchObject({ status: 'COMPLETED' });
  expect(batches(session).slice(before)).toEqual([['c2']]);
  expect(session.recovered[0]?.commands).toMatchObject([
    { stepIndex: 0, status: 'done', command: { commandId: 'c1' } },
  ]);
  expect(session.seen.patches.some(({ waitingFor }) => waitingFor === null)).toBe(true);
});

test('a browser is asked for again when the database did not know the session', async () => {
  const session = await harness.start(
    { steps: ['Buy a bean'] },
    {
      decide: [says('PROCEED', [planned('c1')])],
      acquireBrowser: [behind],
      runCommands: [async (input) => ran(input)],
    },
  );
  expect(await session.handle.result()).toMatchObject({ status: 'COMPLETED' });
  expect(session.recovered).toHaveLength(1);
  expect(session.seen.acquired).toHaveLength(2);
});

test('a session that waits for a person compares what it knows at a signal, and still asks', async () => {
  const unknownCommits = [anUnknown()];
  const session = await harness.start(
    { steps: ['Buy a bean'] },
    {
      decide: [
        says('PROCEED', [planned('c1')]),
        says('ABORT', [], { unknownCommits, judgement: 'cannot-know' }),
        says('PROCEED'),
      ],
      runCommands: [async (input) => ran(input, 'unknown')],
    },
  );
  await session.published('WORKFLOW_PAUSED');
  const { patches } = session.seen;
  await session.handle.signal('verify-store');
  await eventually('what it knows is written again', () => patches.length > 1 && patches.at(-1)?.currentStep === 0);
  const { isJudged: _isJudged, ...unknown } = anUnknown();
  expect(patches.at(-1)).toMatchObject({ status: 'PAUSED', waitingFor: { pausedFor: 'unknown-outcome', unknown } });
  await session.handle.executeUpdate('resolveUnknown', { args: [{ commandId: 'c1', happened: true }] });
  expect(await session.handle.result()).toMatchObject({ status: 'COMPLETED' });
});

test('a database that stays behind fails the session, with what is to be done', async () => {
  const session = await harness.start({ steps: ['Buy a bean'] }, { decide: Array.from({ length: 10 }, () => behind) });
  expect(await session.failure()).toMatchObject({ code: 'CM002' });
  expect(session.recovered.length).toBeLessThan(10);
});
