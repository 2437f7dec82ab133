import { TestWorkflowEnvironment } from '@temporalio/testing';
import { locateTemporal } from '../../cli/stack/programs/locate-temporal';
import { systemProbes } from '../../cli/stack/programs/probes';
import { StreamEventType } from '../../contracts/events/stream-event';
import { eventually } from '../support/eventually';
import { aCall, aToolCall, held, planned, says, thinks, type Answer } from '../support/fake-activities';
import { quietRuntime, startWorkflowHarness, type WorkflowHarness } from '../support/workflow-harness';
import type { DecideInput, DecideOutput } from '../../activities/signatures/engine-activities';
import type { LookAtSiteInput, LookAtSiteOutput } from '../../activities/signatures/browser-activities';
import type { SiteFinding } from '../../contracts/sessions/site-check';
import type { ModelTurnInput, ModelTurnOutput } from '../../activities/signatures/task-activities';

let server: TestWorkflowEnvironment;
let harness: WorkflowHarness;

/** A server that suggests to continue as new after every few events, so that two steps are enough for it. */
beforeAll(async () => {
  const source = locateTemporal(systemProbes({ ...process.env, TEMPORAL_ADDRESS: '' }), '');
  if (source.kind !== 'program') throw new Error('The global set-up has found or fetched no Temporal program.');
  const settings = { 'limit.historyCount.suggestContinueAsNew': '10', 'history.transferProcessorMaxPollRPS': '1000' };
  quietRuntime();
  server = await TestWorkflowEnvironment.createLocal({
    server: {
      executable: { type: 'existing-path', path: source.path },
      extraArgs: Object.entries(settings).flatMap(([name, value]) => ['--dynamic-config-value', `${name}=${value}`]),
      log: { format: 'json', level: 'error' },
    },
  });
  harness = await startWorkflowHarness(server.address);
});
afterAll(async () => {
  await harness.stop();
  await server.teardown();
});

test('a session of many steps carries a hundred, and reads the others and the added ones as it goes', async () => {
  const steps = Array.from({ length: 230 }, (_, index) => `Buy bean ${index}`);
  const reply = held<DecideInput, DecideOutput>();
  const others = Array.from({ length: 230 }, (_, index) => says('PROCEED', [planned(`c${index}`)]));
  const session = await harness.start(
    { steps, config: { enableReflection: false } },
    { decide: [reply.answer, ...others], decidesAtBrowser: true, stepsInARow: true },
  );
  await reply.asked;
  await session.handle.executeUpdate('addSteps', { args: [{ steps: ['Leave'] }] });
  reply.give(says('PROCEED', [planned('first')]));
  expect(await session.handle.result()).toMatchObject({ status: 'COMPLETED', completedSteps: 231 });
  const { seen } = session;
  expect(seen.asked.map(({ step }) => step.instruction)).toEqual([...steps, 'Leave']);
  expect(seen.calls.filter((call) => call.startsWith('readSteps'))).toEqual(['readSteps 100', 'readSteps 200']);
  expect(seen.opened.length).toBeGreaterThan(1);
  expect(seen.stepResults.map(({ stepIndex }) => stepIndex)).toEqual(Array.from({ length: 231 }, (_, index) => index));
});

test('a long session goes on in a new run, with its browser, added steps and the time used so far', async () => {
  const reply = held<DecideInput, DecideOutput>();
  const session = await harness.start(
    { steps: ['Open the shop', 'Buy a bean'] },
    { decide: [says('PROCEED', [planned('a')]), reply.answer, says('PROCEED', [planned('c')])] },
  );
  await reply.asked;
  await session.handle.executeUpdate('addSteps', { args: [{ steps: ['Pay'] }] });
  reply.give(says('PROCEED', [planned('b')]));
  expect(await session.handle.result()).toEqual({
    sessionId: session.workflowId,
    status: 'COMPLETED',
    completedSteps: 3,
  });
  const { seen } = session;
  expect(seen.opened.length).toBeGreaterThan(1);
  expect(seen.opened[0]?.continuedFrom).toBeUndefined();
  expect(seen.opened[1]?.continuedFrom).toEqual(expect.any(String));
  expect(seen.calls.filter((call) => call === 'acquireBrowser')).toHaveLength(1);
  expect(seen.asked.map(({ stepIndex, step }) => [stepIndex, step.instruction])).toEqual([
    [0, 'Open the shop'],
    [1, 'Buy a bean'],
    [2, 'Pay'],
  ]);
  expect(seen.log.filter(({ type }) => type === 'WORKFLOW_STARTED')).toHaveLength(1);
  expect(seen.log.filter(({ type }) => type === 'STEP_STARTED')).toHaveLength(3);
  expect(seen.log.at(-1)?.type).toBe('WORKFLOW_COMPLETED');
  const ids = seen.log.map((record) => record.eventId);
  expect(new Set(ids).size).toBe(ids.length);
});

test('a pause that is asked for while the next run takes over is not forgotten', async () => {
  const handover = held<{ sessionId: string }, void>();
  const session = await harness.start(
    { steps: ['Open the shop', 'Buy a bean'] },
    { decide: [says('PROCEED', [planned('a')]), says('PROCEED')], publishEvents: [handover.answer] },
  );
  await handover.asked;
  await session.handle.executeUpdate('pause');
  handover.give(undefined);
  await session.published('WORKFLOW_PAUSED');
  const asked = session.seen.asked.length;
  await session.handle.executeUpdate('resume');
  expect(await session.handle.result()).toMatchObject({ status: 'COMPLETED' });
  expect(asked).toBe(1);
});

test('a budget that was raised stays raised in the next run, and is warned of once', async () => {
  const steps = ['a', 'b', 'c', 'd'];
  const session = await harness.start(
    { steps, config: { budget: { maxSteps: 2 } } },
    { decide: steps.map(() => says('PROCEED', [planned('a')])) },
  );
  await session.published('WORKFLOW_PAUSED');
  await session.handle.executeUpdate('resolveBudget', { args: [{ decision: 'raise', maxSteps: 9 }] });
  expect(await session.handle.result()).toMatchObject({ status: 'COMPLETED', completedSteps: 4 });
  expect(session.seen.opened.length).toBeGreaterThan(2);
  const types = session.types();
  expect(types.filter((type) => type === 'WORKFLOW_PAUSED')).toHaveLength(1);
  expect(types.filter((type) => type === 'WARNING_ISSUED')).toHaveLength(1);
});

test('messages under load, while one run after the other hands over, are neither lost nor done twice', async () => {
  const STEPS = 8;
  const MAX_MESSAGES = 24;
  const sessions = await Promise.all(
    [1, 2].map(async (number) => {
      const last = held<DecideInput, DecideOutput>();
      const done = Array.from({ length: STEPS - 1 }, () => says('PROCEED'));
      const rest = Array.from({ length: MAX_MESSAGES }, () => says('PROCEED'));
      const steps = Array.from({ length: STEPS }, (_, index) => `step ${index} of ${number}`);
      const session = await harness.start({ steps }, { decide: [...done, last.answer, ...rest] });
      return { session, last, steps };
    }),
  );
  await Promise.all(
    sessions.map(async ({ session, last, steps }) => {
      const { handle, seen } = session;
      let isAtLast = false;
      void last.asked.then(() => (isAtLast = true));
      const pauses = (): number => session.types().filter((type) => type === 'WORKFLOW_PAUSED').length;
      const added: string[] = [];
      const next = (): string[] => {
        added.push(`added ${added.length}`);
        return added.slice(-1);
      };
      // Added steps come after the last, which waits: the session can't end before all of them are sent.
      for (let sent = 0; !isAtLast && sent < MAX_MESSAGES - 2; sent += 2) {
        await handle.executeUpdate('addSteps', { args: [{ steps: next() }] });
        await handle.signal('addSteps', { steps: next() });
        if (sent % 6 !== 0 || isAtLast) continue;
        const before = pauses();
        await handle.executeUpdate('pause');
        if (isAtLast) await handle.executeUpdate('resume');
        else {
          await eventually('the pause is in force', () => pauses() > before || isAtLast);
          await handle.executeUpdate('resume');
        }
      }
      await last.asked;
      last.give(says('PROCEED'));
      expect(await handle.result()).toMatchObject({ status: 'COMPLETED', completedSteps: STEPS + added.length });
      expect(seen.opened.length).toBeGreaterThan(3);
      // A signal and an update that arrive together may change places; each is there once.
      const asked = seen.asked.map(({ step }) => step.instruction);
      expect(asked.toSorted()).toEqual([...steps, ...added].toSorted());
      // As the store does: an addition is written at its place, and only where the plan gets longer by it.
      const stored = seen.stored.reduce<string[]>(
        (plan, { firstIndex, steps: list }) =>
          plan.length < firstIndex + list.length
            ? [...plan.slice(0, firstIndex), ...list.map(({ instruction }) => instruction)]
            : plan,
        steps,
      );
      expect(stored).toEqual(asked);
      const types = session.types();
      expect(types.filter((type) => type === 'WORKFLOW_RESUMED')).toHaveLength(pauses());
      expect(types.filter((type) => type === 'STEP_STARTED')).toHaveLength(STEPS + added.length);
      const ids = seen.log.map((record) => record.eventId);
      expect(new Set(ids).size).toBe(ids.length);
    }),
  );
}, 180_000);

test('a step added while the next run takes over is stored before, and its sender hears of it', async () => {
  const handover = held<{ sessionId: string }, void>();
  const session = await harness.start(
    { steps: ['Open the shop', 'Buy a bean'] },
    { decide: Array.from({ length: 3 }, () => says('PROCEED')), publishEvents: [handover.answer] },
  );
  await handover.asked;
  const answer = session.handle.executeUpdate('addSteps', { args: [{ steps: ['Pay'] }] });
  await eventually('the step is being stored', () => session.seen.calls.includes('storeSteps'));
  handover.give(undefined);
  expect(await answer).toMatchObject({ totalSteps: 3 });
  expect(await session.handle.result()).toMatchObject({ completedSteps: 3 });
  expect(session.seen.asked.map(({ step }) => step.instruction)).toEqual(['Open the shop', 'Buy a bean', 'Pay']);
});

test('a cancel while the next run takes over cancels the session', async () => {
  const handover = held<{ sessionId: string }, void>();
  const session = await harness.start(
    { steps: ['Open the shop', 'Buy a bean'] },
    { decide: [says('PROCEED')], publishEvents: [handover.answer] },
  );
  await handover.asked;
  await session.handle.cancel();
  handover.give(undefined);
  await expect(session.handle.result()).rejects.toThrow(/cancel/i);
  expect(session.seen.opened).toHaveLength(1);
});

test('a long task goes on in a new run between two turns, with turns, guards and approvals', async () => {
  const url = 'https://shop.test/dead';
  const goTo = (callId: string) => aCall(callId, { name: 'navigate', navigatesTo: url });
  const card = { type: 'info', title: 'Add a note?', prompt: '' } as const;
  const noting = (callId: string) => aToolCall(callId, 'notes__add', { card });
  const session = await harness.start(
    { steps: [{ task: 'Find the cheapest bean' }], config: { agent: { approvalMode: 'default' } } },
    {
      runModelTurn: [
        thinks('', [noting('call_1')]),
        ...['2', '3'].map((n) => thinks('', [goTo(`call_${n}`), noting(`call_${n}_note`)])),
        thinks('', [goTo('call_4')]),
      ],
    },
  );
  await eventually('the question', () => session.seen.approvals.length === 1);
  const { approvalId } = session.seen.approvals[0]!;
  await session.handle.executeUpdate('decideApproval', { args: [{ approvalId, outcome: 'proceed_always' }] });
  expect(await session.failure()).toMatchObject({ details: { kind: 'stuck-loop', url } });
  const { seen } = session;
  expect(seen.opened.length).toBeGreaterThan(1);
  expect(seen.thought.map(({ turn }) => turn)).toEqual([0, 1, 2, 3]);
  expect(seen.thought[3]?.ends.map(({ callId }) => callId)).toEqual(['call_3', 'call_3_note']);
  expect(seen.approvals).toHaveLength(1);
  expect(seen.tools).toHaveLength(3);
  expect(session.types().filter((type) => type === 'STEP_STARTED')).toHaveLength(1);
  expect(seen.log.find(({ facts }) => facts?.kind === 'task-end')?.facts).toMatchObject({ turns: 4 });
});

test('a conversation goes on in new runs: its tasks count on, and what it has done is folded away', async () => {
  const session = await harness.start(
    { steps: [{ task: 'x'.repeat(5000) }], config: { agent: { stayOpen: true } } },
    { runModelTurn: ['first', 'second', 'third'].map((text) => thinks(text)) },
  );
  const answers = () => session.seen.log.filter(({ facts }) => facts?.kind === 'task-end');
  await eventually('the first answer', () => answers().length === 1);
  for (const count of [2, 3]) {
    await session.handle.executeUpdate('addSteps', { args: [{ steps: [{ task: `task ${count}` }] }] });
    await eventually(`answer ${count}`, () => answers().length === count);
  }
  await session.handle.executeUpdate('close');
  expect(await session.handle.result()).toMatchObject({ status: 'COMPLETED', completedSteps: 3 });
  expect(session.seen.opened.length).toBeGreaterThan(1);
  expect(answers().map(({ stepIndex }) => stepIndex)).toEqual([0, 1, 2]);
  expect(session.seen.stored.map(({ firstIndex, steps }) => [firstIndex, steps.length])).toEqual([
    [1, 1],
    [2, 1],
  ]);
});

test('a session whose steps exceed a message goes on in new runs, and each has its whole text', async () => {
  const tasks = (count: number) => Array.from({ length: count }, () => ({ task: '字'.repeat(9900) }));
  const first = held<ModelTurnInput, ModelTurnOutput>();
  const second = held<ModelTurnInput, ModelTurnOutput>();
  const session = await harness.start({ steps: tasks(32) }, { runModelTurn: [first.answer, second.answer] });
  await first.asked;
  await session.handle.executeUpdate('addSteps', { args: [{ steps: tasks(32) }] });
  await session.handle.executeUpdate('addSteps', { args: [{ steps: tasks(32) }] });
  first.give(thinks('Done.'));
  const { stepIndex, step } = await second.asked;
  // Its turns carry a reference, from which the engine worker reads the text.
  expect([stepIndex, step.textIn]).toEqual([1, 'plan']);
  const started = session.seen.log.filter(({ type }) => type === StreamEventType.STEP_STARTED);
  expect(started.map(({ data }) => data.step?.stepContent?.length)).toEqual([9900, 9900]);
  expect(session.seen.opened.length).toBeGreaterThan(1);
  expect(session.seen.plan!.steps.map(({ instruction }) => instruction.length)).toEqual(Array(96).fill(9900));
  await session.handle.cancel();
  second.give(thinks('Done.'));
  await expect(session.handle.result()).rejects.toThrow();
  const { events } = await session.handle.fetchHistory();
  const sizes = (events ?? []).map((event) => JSON.stringify(event).length);
  expect(Math.max(...sizes)).toBeLessThan(4_000_000);
});

test('a plain start that is larger than a session may be ends with a sentence', async () => {
  const steps = Array.from({ length: 60 }, () => ({ task: '字'.repeat(9900) }));
  const session = await harness.start({ steps }, {});
  expect((await session.failure()).message).toMatch(/input is not valid: .* takes \d+ bytes .* at most \d+/);
});

test('a wait on the page goes on in new runs: no browser in between, and its looks are counted', async () => {
  const found =
    (finding: SiteFinding['finding']): Answer<LookAtSiteInput, LookAtSiteOutput> =>
    async ({ lease }) => ({ lease, found: { finding, seen: 'It does not hold.', url: 'http://shop/order' } });
  // Time enough to hand over to the next run before each pause: a pause that is over releases nothing.
  const session = await harness.start(
    { steps: ['Open the shop', 'Wait until "Shipped" is shown, at most 1 hour, every 5 seconds', 'Pay'] },
    {
      decide: [says('PROCEED', [planned('a')]), says('PROCEED', [planned('b')])],
      lookAtSite: [found('not-there'), found('unsure'), found('not-there'), found('found')],
      pauseReleaseMs: 20,
    },
  );
  expect(await session.handle.result()).toMatchObject({ status: 'COMPLETED', completedSteps: 3 });
  const { seen } = session;
  expect(seen.opened.length).toBeGreaterThan(2);
  expect(seen.log.filter(({ type, stepIndex }) => type === 'STEP_STARTED' && stepIndex === 1)).toHaveLength(1);
  const looks = seen.log.flatMap(({ data: { details } }) =>
    details?.['waitingFor'] === 'page' ? [details['looks']] : [],
  );
  expect(looks).toEqual([1, 2, 3]);
  // By a worker of the host where the one that drives the page is not there in time.
  expect(seen.calls.filter((call) => call.startsWith('releaseBrowser by ')).length).toBeGreaterThanOrEqual(3);
});
