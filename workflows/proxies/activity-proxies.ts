import { ActivityCancellationType, proxyActivities, type ActivityOptions } from '@temporalio/workflow';
import type { Priority } from '@temporalio/common';
import type { BrowserActivities, Lease } from '../../activities/signatures/browser-activities';
import type { EngineActivities } from '../../activities/signatures/engine-activities';
import type { MailboxActivities } from '../../activities/signatures/mailbox-activities';
import type { ParallelActivities } from '../../activities/signatures/parallel-activities';
import type { RecoveryActivities } from '../../activities/signatures/recovery-activities';
import type { RelayActivities } from '../../activities/signatures/relay-activities';
import { activityOptions, type ACTIVITY_LIMITS, type LimitValues } from '../../contracts/sessions/activity-limits';
import { BROWSERS_QUEUE, ENGINE_QUEUE } from '../../contracts/queues';

/** A model that costs nothing is given up after a second without a beat: nothing is paid twice. */
const RULES_HEARTBEAT_MS = 1000;

type MomentActivities = Pick<
  EngineActivities & RecoveryActivities & ParallelActivities,
  (typeof ACTIVITY_LIMITS.moment.activities)[number]
>;

/** What an engine worker does within a moment, unless the database is away. */
export function engineActivities(summary: string): MomentActivities {
  return proxyActivities<MomentActivities>({
    ...activityOptions('moment'),
    taskQueue: ENGINE_QUEUE,
    summary,
  });
}

/** Temporal tries again until there is an answer, or the question has ended and cancels it. */
export function mailboxActivities(summary: string): MailboxActivities {
  return proxyActivities<MailboxActivities>({ ...activityOptions('plan'), taskQueue: ENGINE_QUEUE, summary });
}

/** Of an activity that calls a model. */
export interface ModelCallLimits {
  model: string;
  values: LimitValues;
  /** Active time that the step has left; an attempt that is over with it is made again where the step was paused. */
  leftMs: number | undefined;
}

export function modelOptions(
  summary: string,
  { model, values, leftMs }: ModelCallLimits,
  row: 'model' | 'assess' = 'model',
): ActivityOptions {
  return {
    ...activityOptions(row, values, leftMs),
    ...(model === 'rules' ? { heartbeatTimeout: RULES_HEARTBEAT_MS } : {}),
    taskQueue: ENGINE_QUEUE,
    summary,
  };
}

export function modelActivities(summary: string, limits: ModelCallLimits): Pick<EngineActivities, 'decide'> {
  return proxyActivities<EngineActivities>(modelOptions(summary, limits));
}

/** An assessment that does not come within its phase is left out. */
export function assessActivities(summary: string, model: string, phaseMs: number): Pick<EngineActivities, 'assess'> {
  return proxyActivities<EngineActivities>(
    modelOptions(summary, { model, values: { phaseMs }, leftMs: phaseMs }, 'assess'),
  );
}

/** Another attempt of a call costs nothing: it finds the call and goes on waiting for its answer. */
export function relayActivities(
  summary: string,
  limits: { toolTimeoutMs: number; waitForBrowserMs: number },
): RelayActivities {
  return proxyActivities<RelayActivities>({
    ...activityOptions('relay', limits),
    taskQueue: ENGINE_QUEUE,
    // The activity waits for a call that was sent and reports its result; it withdraws a call that was not.
    cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
    summary,
  });
}

export function sharedBrowserActivities(
  values: LimitValues,
  priority: Priority,
): Pick<BrowserActivities, 'acquireBrowser'> {
  return proxyActivities<BrowserActivities>({
    ...activityOptions('acquire', values),
    taskQueue: BROWSERS_QUEUE,
    priority,
    summary: 'start a browser',
  });
}

/** Where a browser activity is sent: to the worker that is attached, else to any worker of its host. */
export type Route = 'worker' | 'host';

function queueOf({ workerQueue, hostQueue }: Lease, route: Route): { taskQueue: string } {
  return { taskQueue: route === 'worker' ? workerQueue : hostQueue };
}

/** Of an activity that works on the page within a step. */
export interface PageWorkLimits {
  values: LimitValues;
  /** As of a model's call. */
  leftMs: number | undefined;
}

/** Where no worker of the host takes it, the workflow asks whether the host is still there (workflows/proxies/at-host.ts). */
export function commandActivities(
  lease: Lease,
  route: Route,
  summary: string,
  { values, leftMs }: PageWorkLimits,
): Pick<BrowserActivities, 'runCommands' | 'decideAndRun' | 'lookAtSite'> {
  return proxyActivities<BrowserActivities>({
    ...activityOptions(`commands by ${route}`, values, leftMs),
    ...queueOf(lease, route),
    // A batch that is asked to stop finishes its current command and reports what it has done.
    cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
    summary,
  });
}

export function exploreActivities(
  lease: Lease,
  route: Route,
  summary: string,
  { values, leftMs }: PageWorkLimits,
): Pick<BrowserActivities, 'explore'> {
  return proxyActivities<BrowserActivities>({
    ...activityOptions(`explore by ${route}`, values, leftMs),
    ...queueOf(lease, route),
    cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
    summary,
  });
}

export function endingActivities(
  lease: Lease,
  route: Route,
  values: LimitValues,
): Pick<BrowserActivities, 'captureFailure' | 'releaseBrowser' | 'closeBrowser'> {
  const { captureFailure } = proxyActivities<BrowserActivities>({
    ...activityOptions(`ending by ${route}`, values),
    ...queueOf(lease, route),
    summary: 'keep what explains the failure',
  });
  const { closeBrowser } = proxyActivities<BrowserActivities>({
    ...activityOptions(`ending by ${route}`, values),
    ...queueOf(lease, route),
    summary: 'close the browser',
  });
  const { releaseBrowser } = proxyActivities<BrowserActivities>({
    ...activityOptions(`release by ${route}`, values),
    ...queueOf(lease, route),
    summary: 'release the browser',
  });
  return { captureFailure, closeBrowser, releaseBrowser };
}
