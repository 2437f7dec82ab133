import { ActivityCancellationType, proxyActivities } from '@temporalio/workflow';
import type { TaskActivities, ClientActivities } from '../../activities/signatures/task-activities';
import { ENGINE_QUEUE } from '../../contracts/queues';
import { ENGINE_HEARTBEAT, modelOptions, OUTAGE_RETRY, VENDOR_HEARTBEAT } from './activity-proxies';

const PLAN_LIMIT = '30 seconds';
/** Added to a tool's own limit for writing its intent and its end. */
const TOOL_MARGIN_MS = 10_000;
/** A process that runs tools for its user may be busy with one of them. */
const CLIENT_HEARTBEAT = '10 seconds';

export function modelTurnActivities(...limits: Parameters<typeof modelOptions>): Pick<TaskActivities, 'runModelTurn'> {
  return proxyActivities<TaskActivities>(modelOptions(...limits));
}

export function planActivities(
  summary: string,
): Pick<
  TaskActivities,
  | 'planCall'
  | 'planWayBack'
  | 'getCommandOutcome'
  | 'beginCall'
  | 'storeToolResult'
  | 'endCancelledCall'
  | 'endOpenCalls'
> {
  return proxyActivities<TaskActivities>({
    taskQueue: ENGINE_QUEUE,
    startToCloseTimeout: PLAN_LIMIT,
    heartbeatTimeout: ENGINE_HEARTBEAT,
    retry: OUTAGE_RETRY,
    summary,
  });
}

/** Journaled: an attempt after a worker's death runs nothing twice, so it may be repeated. */
export function toolActivities(summary: string, timeoutMs: number): Pick<TaskActivities, 'runTool'> {
  return proxyActivities<TaskActivities>({
    taskQueue: ENGINE_QUEUE,
    startToCloseTimeout: timeoutMs + TOOL_MARGIN_MS,
    heartbeatTimeout: VENDOR_HEARTBEAT,
    retry: OUTAGE_RETRY,
    // The tool is asked to stop and records how it ended.
    cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
    summary,
  });
}

/** In the process of the caller: one try, whose loss the workflow judges by what the tool does. */
export function clientActivities(
  summary: string,
  options: { queue: string; timeoutMs: number; pickupMs: number },
): ClientActivities {
  return proxyActivities<ClientActivities>({
    taskQueue: options.queue,
    scheduleToStartTimeout: options.pickupMs,
    startToCloseTimeout: options.timeoutMs + TOOL_MARGIN_MS,
    heartbeatTimeout: CLIENT_HEARTBEAT,
    retry: { maximumAttempts: 1 },
    summary,
  });
}
