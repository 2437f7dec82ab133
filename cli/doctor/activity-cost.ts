import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Client } from '@temporalio/client';
import { finding, type Finding } from './check';

// Numbers of the protocol: the client does not export its enums.
const SCHEDULE_ACTIVITY = 1;
const COMPLETE_WORKFLOW = 4;

/** The server's rate limit lets about ten rounds pass at once, so only the later rounds show what a session gets. */
const ROUNDS = 30;
const COUNTED = 15;
const WITHIN_MS = 15_000;
/** A tuned server takes 10 to 14 ms; one whose shard polls 20 times a second takes about 100. */
const SLOW_MS = 50;
const SETTING = 'history.transferProcessorMaxPollRPS';

export async function checkActivityCost(temporal: Client): Promise<Finding> {
  const cost = await measureActivity(temporal);
  const text = `${cost.toFixed(0)} ms each`;
  if (cost < SLOW_MS) return finding('good', 'Activities', text);
  const help = `the server asks for work too seldom: set its dynamic config ${SETTING} to 1000 (it brings 10 to 14 ms)`;
  return finding('poor', 'Activities', `${text}; ${help}.`);
}

/**
 * Measures the milliseconds that the server takes for one activity, with workers that answer at once. It plays both
 * workers on its own queue and removes the workflow afterwards.
 */
async function measureActivity(temporal: Client): Promise<number> {
  const { namespace } = temporal.options;
  const { workflowService } = temporal;
  const workflowId = `surefoot-doctor-${randomUUID()}`;
  const taskQueue = { name: workflowId };
  const identity = `doctor@${hostname()}`;
  const seconds = (count: number) => ({ seconds: count as never });

  const nextWorkflowTask = () => workflowService.pollWorkflowTaskQueue({ namespace, taskQueue, identity });
  const answer = (taskToken: Uint8Array, command: object) =>
    workflowService.respondWorkflowTaskCompleted({ namespace, taskToken, identity, commands: [command] });

  async function runActivity(taskToken: Uint8Array, round: number): Promise<Uint8Array> {
    await answer(taskToken, {
      commandType: SCHEDULE_ACTIVITY,
      scheduleActivityTaskCommandAttributes: {
        activityId: String(round),
        activityType: { name: 'nothing' },
        taskQueue,
        scheduleToCloseTimeout: seconds(10),
        startToCloseTimeout: seconds(10),
      },
    });
    const activity = await workflowService.pollActivityTaskQueue({ namespace, taskQueue, identity });
    await workflowService.respondActivityTaskCompleted({ namespace, taskToken: activity.taskToken, identity });
    return (await nextWorkflowTask()).taskToken;
  }

  return await temporal.withDeadline(Date.now() + WITHIN_MS, async () => {
    await workflowService.startWorkflowExecution({
      namespace,
      workflowId,
      workflowType: { name: 'surefoot-doctor' },
      taskQueue,
      identity,
      requestId: randomUUID(),
      workflowExecutionTimeout: seconds(30),
    });
    try {
      let { taskToken } = await nextWorkflowTask();
      const took: number[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        const startedAt = performance.now();
        taskToken = await runActivity(taskToken, round);
        took.push(performance.now() - startedAt);
      }
      await answer(taskToken, { commandType: COMPLETE_WORKFLOW, completeWorkflowExecutionCommandAttributes: {} });
      const counted = took.slice(-COUNTED).sort((one, other) => one - other);
      // The lower quartile: a busy machine makes some rounds slow, the server's limit makes all of them so.
      return counted[Math.floor(COUNTED / 4)] ?? 0;
    } finally {
      // An unfinished workflow is removed too; a server that forbids it keeps one small closed workflow.
      await workflowService
        .deleteWorkflowExecution({ namespace, workflowExecution: { workflowId } })
        .catch(() => undefined);
    }
  });
}
