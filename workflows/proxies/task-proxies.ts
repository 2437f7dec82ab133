import { ActivityCancellationType, proxyActivities } from '@temporalio/workflow';
import type { TaskActivities, ClientActivities } from '../../activities/signatures/task-activities';
import { ENGINE_QUEUE } from '../../contracts/queues';
import { activityOptions } from '../../contracts/sessions/activity-limits';
import { modelOptions } from './activity-proxies';

export function modelTurnActivities(...limits: Parameters<typeof modelOptions>): Pick<TaskActivities, 'runModelTurn'> {
  return proxyActivities<TaskActivities>(modelOptions(...limits));
}

export function planActivities(
  summary: string,
): Pick<
  TaskActivities,
  | 'planCall'
  | 'planStepCommand'
  | 'planWayBack'
  | 'getCommandOutcome'
  | 'beginCall'
  | 'storeToolResult'
  | 'endCancelledCall'
  | 'endOpenCalls'
> {
  return proxyActivities<TaskActivities>({
    ...activityOptions('plan'),
    taskQueue: ENGINE_QUEUE,
    summary,
  });
}

/** Journaled: an attempt after a worker's death runs nothing twice, so it may be repeated. */
export function toolActivities(summary: string, toolTimeoutMs: number): Pick<TaskActivities, 'runTool'> {
  return proxyActivities<TaskActivities>({
    ...activityOptions('tool', { toolTimeoutMs }),
    taskQueue: ENGINE_QUEUE,
    // The tool is asked to stop and records how it ended.
    cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
    summary,
  });
}

/** In the process of the caller: one try, whose loss the workflow judges by what the tool does. */
export function clientActivities(
  summary: string,
  { queue, toolTimeoutMs, pickupMs }: { queue: string; toolTimeoutMs: number; pickupMs: number },
): ClientActivities {
  return proxyActivities<ClientActivities>({
    ...activityOptions('caller', { toolTimeoutMs, pickupMs }),
    taskQueue: queue,
    summary,
  });
}
