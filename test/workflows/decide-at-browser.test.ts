/** Where no model has to be asked, the worker that has the page decides and runs: one activity for both. */
import { BROWSER_GONE } from '../../contracts/errors/standard-error';
import { aLease, anUnknown, failing, planned, ran, says, untilStopped } from '../support/fake-activities';
import { useWorkflowHarness, type Session } from '../support/workflow-harness';

const harness = useWorkflowHarness();

const config = { enableReflection: false };
const byDefault = {};
const steps = ['Open the shop', 'Buy a bean'];
const [open, buy, again] = ['c1', 'c2', 'c3'].map((id) => planned(id)) as [ReturnType<typeof planned>, never, never];
const decidesAtBrowser = true as const;

const ofSteps = ({ seen }: Session): string[] =>
  seen.calls.filter((call) => /^(?:decide|judge|decideAndRun|runCommands)\b/.test(call));
const batches = ({ seen }: Session): string[][] =>
  seen.batches.map(({ commands }) => commands.map(({ commandId }) => commandId));

test.each([
  ['that is judged by the next call', byDefault],
  ['without reflection', config],
])('a step of the rules %s is one activity in an open browser, at most seven events', async (_, given) => {
  const many = Array.from({ length: 7 }, (_each, index) => `Buy bean ${index}`);
  const decide = many.map((_each, index) => says('PROCEED', [planned(`c${index}`)]));
  const session = await harness.start({ steps: many, config: given }, { decide, decidesAtBrowser });
  expect(await session.handle.result()).toMatchObject({ status: 'COMPLETED', completedSteps: many.length });
  // Where the first step is judged by a call of its own, that is the first of them.
  expect(await session.eventsBetween('decideAndRun', { from: 2, to: 6 })).toBeLessThanOrEqual(7 * 4);
});

test('the first step decides while its browser starts; later ones are judged where they run', async () => {
  const session = await harness.start(
    { steps },
    { decide: [says('PROCEED', [open]), says('PROCEED', [buy])], decidesAtBrowser },
  );
  expect(await session.handle.result()).toMatchObject({ status: 'COMPLETED', completedSteps: 2 });
  await session.keepHistory('decided-at-browser');
  expect(ofSteps(session)).toEqual([
    'decide',
    'runCommands by worker',
    'decideAndRun by worker',
    'judge',
    'decideAndRun by worker',
    'decide',
    'runCommands by worker',
    'judge',
  ]);
  expect(batches(session)).toEqual([['c1'], ['c2']]);
});

test('a browser that is lost meanwhile is restored, and no command of the reply is run twice', async () => {
  const gone = failing('EX001', 'The Chrome is gone.', BROWSER_GONE);
  const session = await harness.start(
    { steps, config },
    {
      decide: [says('PROCEED', [open]), says('PROCEED', [buy]), says('PROCEED', [buy]), says('PROCEED', [again])],
      acquireBrowser: [aLease({ browserId: 'first' }), aLease({ browserId: 'second', epoch: 2 })],
      runCommands: [(input) => Promise.resolve(ran(input)), gone, gone],
      decidesAtBrowser,
    },
  );
  expect(await session.handle.result()).toMatchObject({ status: 'COMPLETED' });
  await session.keepHistory('browser-gone-while-deciding');
  expect(session.seen.acquired).toMatchObject([{}, { lost: { browserId: 'first', stepIndex: 1 } }]);
  expect(batches(session)).toEqual([['c1'], ['c2'], ['c2'], ['c3']]);
  expect(session.seen.batches.map(({ lease }) => lease.epoch)).toEqual([1, 1, 1, 2]);
});

test('a pause stops it between two commands; resumed, the rest of the same reply is run', async () => {
  const session = await harness.start(
    { steps, config },
    {
      decide: [says('PROCEED', [open]), says('PROCEED', [buy])],
      runCommands: [(input) => Promise.resolve(ran(input)), untilStopped],
      decidesAtBrowser,
    },
  );
  await session.published('STEP_COMPLETED');
  await session.handle.signal('pause');
  await session.published('WORKFLOW_PAUSED');
  await session.handle.signal('resume');
  expect(await session.handle.result()).toMatchObject({ status: 'COMPLETED' });
  expect(ofSteps(session).slice(2)).toEqual([
    'decideAndRun by worker',
    'decide',
    'runCommands by worker',
    'runCommands by worker',
  ]);
  expect(batches(session)).toEqual([['c1'], ['c2'], ['c2']]);
});

test('a commit that nobody saw end is asked about before anything else is run', async () => {
  const unknown = says('RETRY', [again], { unknownCommits: [anUnknown({ commandId: 'c2' })], hasCommit: true });
  const session = await harness.start(
    { steps, config },
    {
      decide: [says('PROCEED', [open]), says('PROCEED', [buy]), unknown, says('PROCEED', [])],
      runCommands: [(input) => Promise.resolve(ran(input)), (input) => Promise.resolve(ran(input, 'unknown'))],
      decidesAtBrowser,
    },
  );
  await session.published('WORKFLOW_PAUSED');
  expect(batches(session)).toEqual([['c1'], ['c2']]);
  await session.handle.executeUpdate('resolveUnknown', { args: [{ commandId: 'c2', happened: true }] });
  expect(await session.handle.result()).toMatchObject({ status: 'COMPLETED' });
  expect(batches(session)).not.toContainEqual(['c3']);
});

test('a recipe goes on where the page is, until a model has to be asked', async () => {
  const model = 'recipe';
  const session = await harness.start(
    { steps: [...steps, 'Pay', 'Leave'], config: { ...config, aiConfig: { model: 'ai:openai/gpt-5' } } },
    {
      decide: [
        says('PROCEED', [open], { model }),
        says('PROCEED', [buy], { model }),
        says('PROCEED', [again]),
        says('PROCEED', [planned('c4')]),
      ],
      decidesAtBrowser,
    },
  );
  expect(await session.handle.result()).toMatchObject({ status: 'COMPLETED' });
  expect(ofSteps(session)).toEqual([
    'decide',
    'runCommands by worker',
    'decideAndRun by worker',
    'decide',
    'runCommands by worker',
    'decideAndRun by worker',
    'decide',
    'runCommands by worker',
    'decide',
    'runCommands by worker',
  ]);
  expect(batches(session)).toEqual([['c1'], ['c2'], ['c3'], ['c4']]);
});

test.each([
  ['a vendor has the model', { config: { ...config, aiConfig: { model: 'ai:openai/gpt-5' } } }],
  ['people are asked before its commands', { config: { ...config, agent: { approvalMode: 'default' } } }],
])('engine workers decide where %s', async (_, more) => {
  const session = await harness.start(
    { steps, ...more },
    { decide: [says('PROCEED', [open]), says('PROCEED', [buy])], decidesAtBrowser },
  );
  expect(await session.handle.result()).toMatchObject({ status: 'COMPLETED' });
  expect(ofSteps(session).join()).not.toContain('decideAndRun');
});
