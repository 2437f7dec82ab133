import type { AssessInput, AssessOutput, DecideOutput } from '../../activities/signatures/engine-activities';
import type { RunCommandsInput, RunCommandsOutput } from '../../activities/signatures/browser-activities';
import { PHASES } from '../../contracts/steps/investigation';
import { assessed, explored, failing, held, planned, ran, says, type Script } from '../support/fake-activities';
import { useWorkflowHarness, type Session } from '../support/workflow-harness';

const harness = useWorkflowHarness();

const one = { steps: ['Buy a bean'] };
const click = [planned('c1')];
/** The batch whose element was not there. */
const missing = async (input: RunCommandsInput): Promise<RunCommandsOutput> => ({
  ...ran(input, 'failed'),
  outcomes: input.commands.map(({ commandId }) => ({ commandId, status: 'failed', code: 'EX002' })),
});
const again = [planned('c2')];
const failedTwice: Script = {
  decide: [says('RETRY', click), says('RETRY', again), says('PROCEED')],
  runCommands: [missing, missing],
};
/** A model that asks for an investigation in its first reply. */
const isLost: Script = { decide: [says('RETRY', click, { investigate: 'the bean' }), says('PROCEED')] };

/** An option was not there, and the error says which are. */
const choicesListed = async (input: RunCommandsInput): Promise<RunCommandsOutput> => {
  const failed = await missing(input);
  return { ...failed, outcomes: failed.outcomes.map((outcome) => ({ ...outcome, listsChoices: true })) };
};

const investigationTypes = ({ types }: Session): string[] =>
  types().filter((type) => /^(?:INVESTIGATION|WORKING|STEP|WORKFLOW_(?:COMPLETED|FAILED))/.test(type));
const phasesAsked = ({ seen }: Session): string[] => seen.calls.filter((call) => /explore|assess/.test(call));

test('[S1.A35] a missing element has the page investigated in three phases before the next question', async () => {
  const learnt: AssessOutput['learnt'] = [
    { updateType: 'page_insight', elementsKnown: 1, patternsLearned: 0, confidence: 0.9, source: 'investigation' },
  ];
  const script: Script = {
    ...failedTwice,
    assess: [assessed({ focus: ['Bean'] }), assessed(), assessed({ elementsDiscovered: 2, learnt })],
  };
  const session = await harness.start(one, script);
  expect(await session.handle.result()).toMatchObject({ status: 'COMPLETED' });
  await session.keepHistory('investigated');
  expect(session.seen.calls.filter((call) => /decide|runCommands|explore|assess/.test(call))).toEqual([
    'decide',
    'runCommands by worker',
    'decide',
    'runCommands by worker',
    ...PHASES.flatMap(({ phase }) => [`explore ${phase} by worker`, `assess ${phase}`]),
    'decide',
  ]);
  expect(session.seen.explored.map(({ focus, turn }) => [turn, focus])).toEqual([
    [2, []],
    [2, ['Bean']],
    [2, []],
  ]);
  expect(investigationTypes(session)).toEqual([
    'STEP_STARTED',
    'INVESTIGATION_STARTED',
    ...PHASES.flatMap(() => ['INVESTIGATION_PHASE_STARTED', 'INVESTIGATION_PHASE_COMPLETED']),
    'WORKING_MEMORY_UPDATED',
    'INVESTIGATION_COMPLETED',
    'STEP_COMPLETED',
    'WORKFLOW_COMPLETED',
  ]);
  const events = session.seen.log.flatMap(({ data }) => data.investigation ?? []);
  // S1.A40: neutral until it is known.
  expect(events[0]).toMatchObject({ phase: 'initial_assessment', toolsUsed: [], elementsDiscovered: 0, confidence: 0 });
  expect(events.at(-1)).toMatchObject({
    phase: 'selector_determination',
    toolsUsed: ['screenshot_analysis', 'text_extraction', 'sub_dom_extraction', 'full_dom_retrieval'],
    elementsDiscovered: 2,
    confidence: 0.9,
    readyForAction: true,
  });
});

test.each<[why: string, first: DecideOutput, count: number]>([
  ['the model asks for it', says('RETRY', click, { investigate: 'the bean' }), 1],
  ['the model was far from sure', says('RETRY', click, { confidence: 0.4 }), 1],
  ['the model would only have repeated itself', says('RETRY', [], { hasRepeats: true }), 1],
  ['nothing was wrong', says('RETRY', click), 0],
])('the page is investigated when due: %s', async (_, first, count) => {
  const session = await harness.start(one, { decide: [first, says('PROCEED')] });
  await session.handle.result();
  expect(session.types().filter((type) => type === 'INVESTIGATION_STARTED')).toHaveLength(count);
});

test.each<[why: string, script: Script]>([
  ['an element was not there once', { ...failedTwice, runCommands: [missing] }],
  [
    'another element was not there the second time',
    {
      ...failedTwice,
      decide: [
        says('RETRY', click),
        says('RETRY', [{ ...again[0]!, parameters: { selector: '#pay' } }]),
        says('PROCEED'),
      ],
    },
  ],
  [
    'the error named all that there was to choose from',
    {
      decide: [says('RETRY', click, { confidence: 0.4 }), says('RETRY', again), says('PROCEED')],
      runCommands: [choicesListed, choicesListed],
    },
  ],
])('a model that has what it needs is asked again without an investigation: %s', async (_, script) => {
  const session = await harness.start(one, script);
  expect(await session.handle.result()).toMatchObject({ status: 'COMPLETED' });
  expect(phasesAsked(session)).toEqual([]);
});

test('a session that wants none gets none, and a step costs three calls for investigations at most', async () => {
  const never = await harness.start({ ...one, config: { investigation: 'never' } }, failedTwice);
  await never.handle.result();
  expect(phasesAsked(never)).toEqual([]);
  const replies = Array.from({ length: 5 }, (_, index) => says('RETRY', [planned(`c${index}`)], { investigate: 'it' }));
  const many = await harness.start(one, { decide: [...replies, says('PROCEED')] });
  await many.handle.result();
  expect(phasesAsked(many).filter((call) => call.startsWith('assess'))).toHaveLength(3);
  expect(many.seen.asked.map(({ mayInvestigate }) => mayInvestigate ?? false)).toEqual([true, ...Array(5).fill(false)]);
});

test('a phase that can not be judged is done without; the investigation goes on with what it has', async () => {
  const session = await harness.start(one, { ...isLost, assess: [failing('AI003'), assessed(), assessed()] });
  expect(await session.handle.result()).toMatchObject({ status: 'COMPLETED' });
  const end = session.seen.log.find(({ type }) => type === 'INVESTIGATION_COMPLETED');
  expect(end?.data).toMatchObject({ investigation: { readyForAction: true }, details: { isPartial: true } });
});

test('[S1.A35] an investigation without a result is recorded as failed, and the step goes on without it', async () => {
  const broken = Array.from({ length: 3 }, () => failing('AI003', 'The provider is busy.'));
  const session = await harness.start(one, { ...isLost, assess: broken });
  expect(await session.handle.result()).toMatchObject({ status: 'COMPLETED' });
  expect(session.seen.log.find(({ type }) => type === 'INVESTIGATION_FAILED')?.data).toMatchObject({
    error: { code: 'AI003', message: 'The provider is busy.', stepIndex: 0 },
    investigation: { readyForAction: false },
  });
  expect(session.types()).not.toContain('INVESTIGATION_COMPLETED');
});

test('a cancelled session ends its investigation before its step', async () => {
  const judging = held<AssessInput, AssessOutput>();
  const session = await harness.start(one, { ...isLost, assess: [judging.answer] });
  await judging.asked;
  await session.handle.cancel();
  await expect(session.handle.result()).rejects.toThrow(/cancel/i);
  judging.give(assessed());
  expect(investigationTypes(session)).toEqual([
    'STEP_STARTED',
    'INVESTIGATION_STARTED',
    'INVESTIGATION_PHASE_STARTED',
    'INVESTIGATION_FAILED',
    'STEP_FAILED',
    'WORKFLOW_FAILED',
  ]);
});

test('a phase that a pause has stopped is gone through after it', async () => {
  const session = await harness.start(one, {
    ...isLost,
    explore: [
      async (input, { signal }) => {
        await session.handle.executeUpdate('pause');
        await new Promise<void>((resolve) =>
          signal.aborted ? resolve() : signal.addEventListener('abort', () => resolve(), { once: true }),
        );
        return explored(input, true);
      },
    ],
  });
  await session.published('WORKFLOW_PAUSED');
  await session.handle.executeUpdate('resume');
  expect(await session.handle.result()).toMatchObject({ status: 'COMPLETED' });
  expect(phasesAsked(session).slice(0, 3)).toEqual([
    'explore initial_assessment by worker',
    'explore initial_assessment by worker',
    'assess initial_assessment',
  ]);
  expect(session.types()).toContain('INVESTIGATION_COMPLETED');
});

describe('the options of a step', () => {
  const abort = says('ABORT', [], { message: 'Not yet.' });
  const retried = { retryOnFailure: true, maxRetries: 2, timeouts: { retryDelayMs: 20 } };

  test('[S1.A24] a step that failed is tried again as often as maxRetries says, with one start and one end', async () => {
    const session = await harness.start({ ...one, config: retried }, { decide: [abort, abort, says('PROCEED')] });
    expect(await session.handle.result()).toMatchObject({ status: 'COMPLETED' });
    expect(session.seen.asked.map(({ turn, triedFrom }) => [turn, triedFrom])).toEqual([
      [0, undefined],
      [1, 1],
      [2, 2],
    ]);
    expect(session.types().filter((type) => /^STEP_|WARNING/.test(type))).toEqual([
      'STEP_STARTED',
      'WARNING_ISSUED',
      'WARNING_ISSUED',
      'STEP_COMPLETED',
    ]);
  });

  test('[S1.A24] without retryOnFailure it is not tried again, and after the last retry it fails as it did', async () => {
    const never = await harness.start({ ...one, config: { maxRetries: 2 } }, { decide: [abort] });
    expect(await never.failure()).toMatchObject({ message: 'Not yet.' });
    const spent = await harness.start({ ...one, config: retried }, { decide: [abort, abort, abort] });
    expect(await spent.failure()).toMatchObject({ code: 'TL004', message: 'Not yet.' });
  });

  test('[S1.R31, S1.A24] every try has the whole number of iterations', async () => {
    const rounds = [0, 1, 2].map((index) => says('RETRY', [planned(`c${index}`)]));
    const session = await harness.start(
      { ...one, config: { ...retried, maxRetries: 1, maxIterations: 1 } },
      { decide: [rounds[0]!, says('RETRY', click), rounds[1]!, says('PROCEED')] },
    );
    expect(await session.handle.result()).toMatchObject({ status: 'COMPLETED' });
    expect(session.seen.asked.map(({ mayAct }) => mayAct)).toEqual([true, false, true, false]);
  });

  test("[S1.A23] without reflection an unsure PROCEED after successes is done; a step's word goes first", async () => {
    const unsure = says('PROCEED', click, { confidence: 0.55 });
    const off = await harness.start({ ...one, config: { enableReflection: false } }, { decide: [unsure] });
    expect(await off.handle.result()).toMatchObject({ status: 'COMPLETED' });
    const own = await harness.start(
      { steps: [{ instruction: 'Buy', reflectionEnabled: true }], config: { enableReflection: false } },
      { decide: [unsure] },
    );
    await own.handle.result();
    expect([own.seen.asked, own.seen.judged].map(({ length }) => length)).toEqual([1, 1]);
  });

  test('[S1.A39] validation mode and model of a step go before those of the session', async () => {
    const step = { instruction: 'Buy', validationMode: 'lenient', aiConfig: { temperature: 0.7 } };
    const session = await harness.start({ steps: [step] }, { decide: [says('PROCEED')] });
    await session.handle.result();
    expect(session.seen.asked[0]).toMatchObject({
      step: { options: { validationMode: 'lenient', aiConfig: { temperature: 0.7, model: 'rules' } } },
    });
  });
});

test('PROCEED whose commands were left out as repetitions is not done', async () => {
  const session = await harness.start(one, {
    decide: [says('PROCEED', [], { hasRepeats: true }), says('PROCEED')],
  });
  expect(await session.handle.result()).toMatchObject({ status: 'COMPLETED' });
  expect(session.seen.asked).toHaveLength(2);
});

test('[S1.A32] a step that ran nothing ends with the page as it was last seen', async () => {
  const session = await harness.start(
    { steps: ['Open the shop', 'Expect a bean'] },
    { decide: [says('PROCEED', click), says('PROCEED')] },
  );
  await session.handle.result();
  expect(session.seen.stepResults[1]?.page).toEqual({ screenshotId: 'shot', url: 'https://shop.test/' });
});
