import type { DecideInput, DecideOutput } from '../../activities/signatures/engine-activities';
import { SESSION_SUPERSEDED } from '../../contracts/errors/standard-error';
import { planRequest } from '../../contracts/sessions/start-request';
import { failing, held, planned, says } from '../support/fake-activities';
import { ofActivity, resetWorkflow } from '../support/reset-workflow';
import { useWorkflowHarness } from '../support/workflow-harness';

const harness = useWorkflowHarness();

const two = { steps: ['Buy a bean', 'Buy another'] };

test('a run that comes out of a reset asks for what it has not in its history, and writes at once', async () => {
  const waiting = held<DecideInput, DecideOutput>();
  const session = await harness.start(two, {
    decide: [says('PROCEED', [planned('c1')]), waiting.answer, says('PROCEED'), says('PROCEED', [planned('c2')])],
  });
  await waiting.asked;
  const runId = await resetWorkflow(harness.client, session.workflowId, ofActivity('runCommands'));
  waiting.give(says('ABORT'));
  const outcome: unknown = await harness.client.workflow.getHandle(session.workflowId, runId).result();
  expect(outcome).toMatchObject({ status: 'COMPLETED', completedSteps: 2 });
  await session.keepHistory('reset');
});

test('a run whose session had ended before the reset ends with the session that goes on', async () => {
  const superseded = failing('SP002', 'Another run owns this session.', SESSION_SUPERSEDED);
  const session = await harness.start(two, {
    decide: [says('PROCEED', [planned('c1')]), says('ABORT')],
    publishEvents: [async () => {}, superseded, superseded],
    abandonSession: [async ({ stepIndex }) => ({ forkId: `the one from step ${stepIndex + 1}` })],
  });
  await session.failure();
  const runId = await resetWorkflow(harness.client, session.workflowId);
  const outcome: unknown = await harness.client.workflow.getHandle(session.workflowId, runId).result();
  expect(outcome).toEqual({ sessionId: 'the one from step 2', status: 'INITIALIZING', completedSteps: 1 });
  await session.keepHistory('reset-after-the-end');
});

test('a session that goes on from one that had ended does only what is left, once a person has looked', async () => {
  const parsed = planRequest({ steps: ['Open the shop', 'Buy a bean', 'Buy another'] });
  if (parsed.kind === 'invalid') throw new Error('The request of this test is not valid.');
  const afterReset = { sessionId: 'the other', doneSteps: 2, doneCommands: 'It had done a click.' };
  const session = await harness.start(
    { plan: { ...parsed.plan, afterReset } },
    { decide: [says('PROCEED', [planned('c3')])] },
  );
  await session.published('WORKFLOW_PAUSED');
  expect(session.seen.asked).toEqual([]);
  await session.handle.executeUpdate('resume');
  expect(await session.handle.result()).toMatchObject({ status: 'COMPLETED', completedSteps: 3 });
  expect(session.seen.batches.map(({ stepIndex }) => stepIndex)).toEqual([2]);
  expect(session.types().filter((type) => type === 'STEP_COMPLETED')).toHaveLength(3);
  await session.keepHistory('after-a-reset');
});
