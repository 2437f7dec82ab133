import { ActivityCancellationType, proxyActivities, type ActivityOptions } from '@temporalio/workflow';
import type { Priority } from '@temporalio/common';
import type { BrowserActivities, Lease } from '../../activities/signatures/browser-activities';
import type { EngineActivities } from '../../activities/signatures/engine-activities';
import type { RecoveryActivities } from '../../activities/signatures/recovery-activities';
import type { RelayActivities } from '../../activities/signatures/relay-activities';
import type { TimeoutConfig } from '../../contracts/sessions/timeouts';
import { BROWSERS_QUEUE, ENGINE_QUEUE } from '../../contracts/queues';

/**
 * Every timeout, retry and heartbeat of the engine. Temporal retries what fails by a worker's death or a database outage,
 * without limit inside the step's own time. What the outside world refuses comes back as a non-retryable failure, and the
 * workflow counts its retries (workflows/proxies/retries.ts).
 */
export const HEARTBEAT = '1 second';
/** A vendor's call whose worker is taken for dead is made and paid a second time, so a busy worker gets longer. */
export const VENDOR_HEARTBEAT = '5 seconds';
/** An engine worker with many sessions may be busy for longer than a second. */
export const ENGINE_HEARTBEAT = '3 seconds';
export const OUTAGE_RETRY = {
  initialInterval: '100 milliseconds',
  backoffCoefficient: 2,
  maximumInterval: '5 seconds',
} as const;
/** A live worker takes its task at once; after this time another worker of the host gets it. */
const WORKER_PICKUP = '1 second';
/** A host with live workers takes a task well within this time; after it, the heartbeats of its keeper are checked. */
export const HOST_PICKUP_MS = 3000;
const PUBLISH_LIMIT = '10 seconds';
const END_LIMIT = '25 seconds';
/** A slow page is waited for before its browser is released: its snapshot and its checkpoint are taken. */
const RELEASE_LIMIT = '70 seconds';
/** Added to the commands' own limits for the snapshot and for writing: a page that hangs is given up after 30 s. */
const BATCH_MARGIN_MS = 40_000;
/** The calls of one decision that can each last: an answer and its repair, both once more with room where they were cut off. */
const MODEL_CALLS = 4;
/** Added to the limits of the calls, which the activity keeps itself: for reading the session and storing the reply. */
const MODEL_MARGIN_MS = 30_000;
/** The step's own timer comes first, and says why. */
const STEP_MARGIN_MS = 10_000;

/** What an engine worker does within a moment, unless the database is away. */
export function engineActivities(summary: string): EngineActivities & RecoveryActivities {
  return proxyActivities<EngineActivities & RecoveryActivities>({
    taskQueue: ENGINE_QUEUE,
    startToCloseTimeout: PUBLISH_LIMIT,
    heartbeatTimeout: ENGINE_HEARTBEAT,
    retry: OUTAGE_RETRY,
    summary,
  });
}

/** Of an activity that calls a model. */
export interface ModelCallLimits {
  model: string;
  /** Of one call (`aiConfig.timeoutMs`). */
  timeoutMs: number;
  /** Active time that the step has left; an attempt that is over with it is made again where the step was paused. */
  leftMs: number | undefined;
}

export function modelOptions(summary: string, { model, timeoutMs, leftMs }: ModelCallLimits): ActivityOptions {
  return {
    taskQueue: ENGINE_QUEUE,
    startToCloseTimeout: MODEL_CALLS * timeoutMs + MODEL_MARGIN_MS,
    ...(leftMs === undefined ? {} : { scheduleToCloseTimeout: leftMs + STEP_MARGIN_MS }),
    heartbeatTimeout: model === 'rules' ? HEARTBEAT : VENDOR_HEARTBEAT,
    retry: OUTAGE_RETRY,
    summary,
  };
}

export function modelActivities(summary: string, limits: ModelCallLimits): Pick<EngineActivities, 'decide'> {
  return proxyActivities<EngineActivities>(modelOptions(summary, limits));
}

/** An assessment that does not come within its phase is left out. */
export function assessActivities(summary: string, model: string, limitMs: number): Pick<EngineActivities, 'assess'> {
  return proxyActivities<EngineActivities>({
    taskQueue: ENGINE_QUEUE,
    scheduleToCloseTimeout: limitMs,
    heartbeatTimeout: model === 'rules' ? HEARTBEAT : VENDOR_HEARTBEAT,
    retry: OUTAGE_RETRY,
    summary,
  });
}

/** The API sends a heartbeat for a call about every three seconds; when all API processes are gone, an engine worker takes the call up again. */
const RELAY_HEARTBEAT = '10 seconds';
/** For the calls before it in the queue of its browser, and for reporting its result. */
const RELAY_MARGIN_MS = 60_000;

/** Another attempt of a call costs nothing: it finds the call and goes on waiting for its answer. */
export function relayActivities(
  summary: string,
  { toolMs, waitForBrowserMs }: { toolMs: number; waitForBrowserMs: number },
): RelayActivities {
  return proxyActivities<RelayActivities>({
    taskQueue: ENGINE_QUEUE,
    startToCloseTimeout: toolMs + waitForBrowserMs + RELAY_MARGIN_MS,
    heartbeatTimeout: RELAY_HEARTBEAT,
    retry: OUTAGE_RETRY,
    // The activity waits for a call that was sent and reports its result; it withdraws a call that was not.
    cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
    summary,
  });
}

export function sharedBrowserActivities(
  timeouts: TimeoutConfig,
  priority: Priority,
): Pick<BrowserActivities, 'acquireBrowser'> {
  return proxyActivities<BrowserActivities>({
    taskQueue: BROWSERS_QUEUE,
    // The wait for a free host is the queue: no failure, and no active time (workflows/browsers/browser-queue.ts).
    priority,
    startToCloseTimeout: timeouts.connectionTimeoutMs + timeouts.requestTimeoutMs,
    heartbeatTimeout: HEARTBEAT,
    retry: OUTAGE_RETRY,
    summary: 'start a browser',
  });
}

/** Where a browser activity is sent: to the worker that is attached, else to any worker of its host. */
export type Route = 'worker' | 'host';

function browserOptions(lease: Lease, route: Route, timeouts: TimeoutConfig): ActivityOptions {
  if (route === 'worker') {
    return { taskQueue: lease.workerQueue, scheduleToStartTimeout: WORKER_PICKUP, retry: { maximumAttempts: 1 } };
  }
  return {
    taskQueue: lease.hostQueue,
    scheduleToStartTimeout: timeouts.connectionTimeoutMs,
    retry: OUTAGE_RETRY,
  };
}

/** A few tries of the server, then the workflow asks whether the host is still there (workflows/proxies/host-pickup.ts). */
function hostTries({ connectionTimeoutMs }: TimeoutConfig): ActivityOptions {
  return {
    scheduleToStartTimeout: Math.min(HOST_PICKUP_MS, connectionTimeoutMs),
    retry: { ...OUTAGE_RETRY, maximumAttempts: 3 },
  };
}

export function commandActivities(
  lease: Lease,
  route: Route,
  timeouts: TimeoutConfig,
  batch: { commandCount: number; requestTimeoutMs: number; summary: string },
): Pick<BrowserActivities, 'runCommands'> {
  return proxyActivities<BrowserActivities>({
    ...browserOptions(lease, route, timeouts),
    ...(route === 'host' ? hostTries(timeouts) : {}),
    startToCloseTimeout: batch.commandCount * batch.requestTimeoutMs + BATCH_MARGIN_MS,
    heartbeatTimeout: HEARTBEAT,
    // A batch that is asked to stop finishes its current command and reports what it has done.
    cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
    summary: batch.summary,
  });
}

export function exploreActivities(
  lease: Lease,
  route: Route,
  timeouts: TimeoutConfig,
  phase: { limitMs: number; summary: string },
): Pick<BrowserActivities, 'explore'> {
  return proxyActivities<BrowserActivities>({
    ...browserOptions(lease, route, timeouts),
    ...(route === 'host' ? hostTries(timeouts) : {}),
    startToCloseTimeout: phase.limitMs + BATCH_MARGIN_MS,
    heartbeatTimeout: HEARTBEAT,
    cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
    summary: phase.summary,
  });
}

export function endingActivities(
  lease: Lease,
  route: Route,
  timeouts: TimeoutConfig,
): Pick<BrowserActivities, 'captureFailure' | 'releaseBrowser' | 'closeBrowser'> {
  const options: ActivityOptions = {
    ...browserOptions(lease, route, timeouts),
    startToCloseTimeout: END_LIMIT,
    heartbeatTimeout: HEARTBEAT,
    retry: { maximumAttempts: route === 'worker' ? 1 : 3, initialInterval: '100 milliseconds' },
    summary: 'end with the browser',
  };
  const { captureFailure, closeBrowser } = proxyActivities<BrowserActivities>(options);
  const { releaseBrowser } = proxyActivities<BrowserActivities>({ ...options, startToCloseTimeout: RELEASE_LIMIT });
  return { captureFailure, closeBrowser, releaseBrowser };
}
