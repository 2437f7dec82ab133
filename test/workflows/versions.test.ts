/** Two builds of the engine side by side, by Temporal's worker versioning: which of them a session runs on. */
import type { DecideInput, DecideOutput } from '../../activities/signatures/engine-activities';
import { eventually } from '../support/eventually';
import { held, planned, says, untilStopped } from '../support/fake-activities';
import { DEPLOYMENT, useWorkflowHarness, type Session } from '../support/workflow-harness';

const harness = useWorkflowHarness({ builds: ['one', 'two'] });

/** What `temporal worker deployment set-current-version` does; the server knows a version once its worker has polled. */
async function setCurrent(buildId: string): Promise<void> {
  await eventually(`${buildId} is current`, async () => {
    const version = { namespace: 'default', deploymentName: DEPLOYMENT, buildId, version: `${DEPLOYMENT}.${buildId}` };
    return await harness.client.workflowService
      .setWorkerDeploymentCurrentVersion({ ...version, identity: 'test' })
      .then(
        () => true,
        () => false,
      );
  });
}

/** Which builds took workflow tasks and activities of the engine. */
async function buildsOf({ handle }: Session): Promise<string[]> {
  const { events } = await handle.fetchHistory();
  const taken = (events ?? []).map(
    (event) =>
      event.workflowTaskCompletedEventAttributes?.identity ?? event.activityTaskStartedEventAttributes?.identity,
  );
  return [...new Set(taken.filter((identity) => identity === 'one' || identity === 'two'))] as string[];
}

test('a session stays with the build it began on while another one is current, and new ones begin on that', async () => {
  await setCurrent('one');
  const reply = held<DecideInput, DecideOutput>();
  const steps = { steps: ['Open the shop', 'Buy a bean'] };
  const old = await harness.start(steps, {
    decide: [reply.answer, says('PROCEED', [planned('b')])],
  });
  await reply.asked;
  await setCurrent('two');
  const young = await harness.start(steps, { decide: [says('PROCEED'), says('PROCEED', [planned('d')])] });
  expect(await young.handle.result()).toMatchObject({ completedSteps: 2 });
  reply.give(says('PROCEED', [planned('a')]));
  expect(await old.handle.result()).toMatchObject({ completedSteps: 2 });
  expect(await buildsOf(young)).toEqual(['two']);
  expect(await buildsOf(old)).toEqual(['one']);
});

test('a paused session moves to the current build by its operator, and goes on there', async () => {
  await setCurrent('one');
  const session = await harness.start(
    { steps: ['Buy a bean'] },
    { decide: [says('PROCEED', [planned('c')])], runCommands: [untilStopped] },
  );
  await eventually('the batch runs', () => session.seen.batches.length === 1);
  await session.handle.executeUpdate('pause');
  await session.published('WORKFLOW_PAUSED');
  await setCurrent('two');
  // `temporal workflow update-options --versioning-override-behavior auto_upgrade`
  await harness.client.workflowService.updateWorkflowExecutionOptions({
    namespace: 'default',
    workflowExecution: { workflowId: session.workflowId },
    workflowExecutionOptions: { versioningOverride: { autoUpgrade: true } },
    updateMask: { paths: ['versioning_override'] },
  });
  await harness.stopBuild('one');
  await session.handle.executeUpdate('resume');
  expect(await session.handle.result()).toMatchObject({ status: 'COMPLETED' });
  expect(await buildsOf(session)).toEqual(['one', 'two']);
});
