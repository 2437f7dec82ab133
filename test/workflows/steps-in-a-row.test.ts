/** Steps that need nobody are done one behind the other in one activity; the workflow follows what it reports. */
import type { RunCommandsInput, RunCommandsOutput } from '../../activities/signatures/browser-activities';
import { failing, held, planned, ran, says, untilStopped } from '../support/fake-activities';
import { eventually } from '../support/eventually';
import { useWorkflowHarness, type Session } from '../support/workflow-harness';

const harness = useWorkflowHarness();

const names = ['Open the shop', 'Buy a bean', 'Buy a pea', 'Pay', 'Leave'];
const decide = (count: number) =>
  Array.from({ length: count }, (_, index) => says('PROCEED', [planned(`c${index + 1}`)]));
const inARow = { decidesAtBrowser: true, stepsInARow: true } as const;
const succeeds = (input: RunCommandsInput): Promise<RunCommandsOutput> => Promise.resolve(ran(input));

const activitiesOf = ({ seen }: Session): string[] =>
  seen.calls.filter((call) => /^(?:decide|decideAndRun|runCommands)\b/.test(call));
const ofRow = (session: Session): string[] => activitiesOf(session).filter((call) => call.startsWith('decideAndRun'));
const commandsOf = ({ seen }: Session): string[] =>
  seen.batches.flatMap(({ commands }) => commands.map(({ commandId }) => commandId));
/** Starts and ends of steps, in the order of the log: `0 started`. */
const stepsOf = ({ seen }: Session): string[] =>
  seen.log
    .filter(({ type }) => type.startsWith('STEP_'))
    .map(({ type, stepIndex }) => `${stepIndex} ${type.slice(5).toLowerCase()}`);
const alternating = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => [`${index} started`, `${index} completed`]).flat();

test.each([
  ['judged by the next call', {}],
  ['without reflection', { enableReflection: false }],
])('steps %s are done in one activity, and each begins and ends once in the log', async (_, config) => {
  const session = await harness.start({ steps: names, config }, { decide: decide(5), ...inARow });
  expect(await session.handle.result()).toMatchObject({ status: 'COMPLETED', completedSteps: 5 });
  await session.keepHistory('steps-in-a-row');
  expect(ofRow(session)).toEqual(['decideAndRun by worker']);
  expect(commandsOf(session)).toEqual(['c1', 'c2', 'c3', 'c4', 'c5']);
  expect(stepsOf(session)).toEqual(alternating(5));
  expect(session.seen.stepResults.map(({ stepIndex, status }) => [stepIndex, status])).toEqual(
    names.map((_name, index) => [index, 'COMPLETED']),
  );
  const progress = session.seen.log.filter(({ type }) => type === 'WORKFLOW_PROGRESS');
  expect(progress.map(({ data }) => data.progress?.completedSteps)).toEqual([1, 2, 3, 4, 5]);
  expect((await session.history()).filter((type) => type === 'ACTIVITY_TASK_SCHEDULED').length).toBeLessThan(9);
});

test('a command that fails ends the row; the workflow goes on with its step, and then in a row again', async () => {
  const session = await harness.start(
    { steps: names, config: { enableReflection: false } },
    {
      decide: [...decide(3), says('PROCEED', [planned('c3-again')]), ...decide(5).slice(3)],
      runCommands: [succeeds, succeeds, (input) => Promise.resolve(ran(input, 'failed')), succeeds],
      ...inARow,
    },
  );
  expect(await session.handle.result()).toMatchObject({ status: 'COMPLETED', completedSteps: 5 });
  expect(commandsOf(session)).toEqual(['c1', 'c2', 'c3', 'c3-again', 'c4', 'c5']);
  expect(stepsOf(session)).toEqual(alternating(5));
});

test('a pause ends the row after its current command; nothing is begun behind it or done twice', async () => {
  const session = await harness.start(
    { steps: names, config: { enableReflection: false } },
    { decide: decide(5), runCommands: [succeeds, succeeds, untilStopped], ...inARow },
  );
  await eventually('the third command is under way', () => commandsOf(session).length === 3);
  await session.handle.signal('pause');
  await session.published('WORKFLOW_PAUSED');
  expect(stepsOf(session)).toEqual([...alternating(2), '2 started']);
  await session.handle.signal('resume');
  expect(await session.handle.result()).toMatchObject({ status: 'COMPLETED' });
  expect(stepsOf(session)).toEqual(alternating(5));
  expect(commandsOf(session).filter((id) => id === 'c4')).toHaveLength(1);
});

test('a cancellation that the row does not hear leaves one end for each step that it has begun', async () => {
  const hangs = held<RunCommandsInput, RunCommandsOutput>();
  const session = await harness.start(
    { steps: names, config: { enableReflection: false } },
    { decide: decide(5), runCommands: [succeeds, succeeds, hangs.answer], ...inARow },
  );
  await hangs.asked;
  await session.handle.executeUpdate('cancel');
  await expect(session.handle.result()).rejects.toThrow();
  hangs.give(ran(await hangs.asked));
  expect(session.types().at(-1)).toBe('WORKFLOW_FAILED');
  expect(stepsOf(session)).toEqual([...alternating(2), '2 started', '2 failed']);
});

test('a worker that dies in a row leaves it to another one of its host', async () => {
  const session = await harness.start(
    { steps: names, config: { enableReflection: false } },
    {
      decide: decide(9),
      runCommands: [succeeds, succeeds, failing('EX001', 'The worker has lost its database.')],
      ...inARow,
    },
  );
  expect(await session.handle.result()).toMatchObject({ status: 'COMPLETED', completedSteps: 5 });
  expect(stepsOf(session)).toEqual(alternating(5));
});

test('a step that is to wait is begun in a row, and its wait is left to the workflow, which says so', async () => {
  const wait = { ...planned('wait', 'WAIT_FOR'), parameters: { seconds: 60 } };
  const waiting = held<RunCommandsInput, RunCommandsOutput>();
  const session = await harness.start(
    { steps: names.slice(0, 3), config: { enableReflection: false } },
    {
      decide: [...decide(2), says('PROCEED', [wait])],
      runCommands: [succeeds, succeeds, waiting.answer],
      ...inARow,
    },
  );
  const input = await waiting.asked;
  expect(await session.handle.query('progress')).toMatchObject({ completedSteps: 2, currentStepIndex: 2 });
  waiting.give(ran(input));
  expect(await session.handle.result()).toMatchObject({ status: 'COMPLETED', completedSteps: 3 });
  expect(activitiesOf(session).at(-1)).toBe('runCommands by worker');
  expect(stepsOf(session)).toEqual(alternating(3));
});

test.each([
  ['steps have a budget', { config: { budget: { maxSteps: 9 } } }],
  ['a step has options of its own', { steps: ['Open', { instruction: 'Buy', maxIterations: 3 }, 'Pay'] }],
])('where %s, each is an activity of its own', async (_, more) => {
  const session = await harness.start({ steps: names.slice(0, 3), ...more }, { decide: decide(3), ...inARow });
  expect(await session.handle.result()).toMatchObject({ status: 'COMPLETED', completedSteps: 3 });
  expect(ofRow(session)).toHaveLength(3);
});
