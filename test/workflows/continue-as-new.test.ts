import { TestWorkflowEnvironment } from '@temporalio/testing';
import { locateTemporal } from '../../local/locate-temporal';
import { systemProbes } from '../../local/probes';
import { held, planned, says } from '../support/fake-activities';
import { quietRuntime, startWorkflowHarness, type WorkflowHarness } from '../support/workflow-harness';
import type { DecideInput, DecideOutput } from '../../activities/engine-activities';

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

test('a long session goes on in a new run, with the same browser, the added steps and its time used so far', async () => {
  const reply = held<DecideInput, DecideOutput>();
  const session = await harness.start(
    { steps: ['Open the shop', 'Buy a bean'] },
    { decide: [says('PROCEED', [planned('a')]), reply.answer, says('PROCEED', [planned('c')])] },
  );
  await reply.asked;
  await session.handle.executeUpdate('addSteps', { args: [['Pay']] });
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
