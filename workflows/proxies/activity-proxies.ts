import { ActivityCancellationType, proxyActivities, type ActivityOptions } from '@temporalio/workflow';
import type { Priority } from '@temporalio/common';
import type { BrowserActivities, Lease } from '../../activities/browser-activities';
import type { EngineActivities } from '../../activities/engine-activities';
import type { RelayActivities } from '../../activities/relay-activities';
import type { TimeoutConfig } from '../../contracts/sessions/timeouts';
import { BROWSERS_QUEUE, ENGINE_QUEUE } from '../../contracts/queues';

/**
 * Every timeout, retry and heartbeat of the engine. Rules (design: Time): what a worker's death or a database outage
 * costs is retried without limit inside the step's own time; what failed in the outside world comes back as a
 * non-retryable failure and is counted by the workflow (workflows/proxies/failures.ts).
 */
export const HEARTBEAT = '1 second';
/** A call of a vendor that is thought dead is asked and paid a second time: a busy worker gets longer for it. */
export const VENDOR_HEARTBEAT = '5 seconds';
/** Beside many sessions an engine worker may be busy for longer than a second; one that beats no more is dead or frozen. */
export const ENGINE_HEARTBEAT = '3 seconds';
export const OUTAGE_RETRY = {
  initialInterval: '100 milliseconds',
  backoffCoefficient: 2,
  maximumInterval: '5 seconds',
} as const;
/** A worker that lives takes its task at once; a dead one costs this much before another of its host takes over. */
const WORKER_PICKUP = '1 second';
/** A host whose workers live takes a task well within this; after it, its keeper is asked for. */
export const HOST_PICKUP_MS = 3000;
const PUBLISH_LIMIT = '10 seconds';
const RELEASE_LIMIT = '10 seconds';
/** Added to the commands' own limits for looking at the page and writing. */
const BATCH_MARGIN_MS = 10_000;
/** A model call is bounded between chunks by the activity itself; this ends one whose worker stopped caring. */
export const MODEL_CALL_LIMIT = '30 minutes';

export function engineActivities(summary: string): EngineActivities {
  return proxyActivities<EngineActivities>({
    taskQueue: ENGINE_QUEUE,
    startToCloseTimeout: PUBLISH_LIMIT,
    heartbeatTimeout: ENGINE_HEARTBEAT,
    retry: OUTAGE_RETRY,
    summary,
  });
}

export function modelActivities(summary: string, model: string): Pick<EngineActivities, 'decide'> {
  return proxyActivities<EngineActivities>({
    taskQueue: ENGINE_QUEUE,
    startToCloseTimeout: MODEL_CALL_LIMIT,
    heartbeatTimeout: model === 'rules' ? HEARTBEAT : VENDOR_HEARTBEAT,
    retry: OUTAGE_RETRY,
    summary,
  });
}

/** A judgement that does not come within its phase is done without. */
export function assessActivities(summary: string, model: string, limitMs: number): Pick<EngineActivities, 'assess'> {
  return proxyActivities<EngineActivities>({
    taskQueue: ENGINE_QUEUE,
    scheduleToCloseTimeout: limitMs,
    heartbeatTimeout: model === 'rules' ? HEARTBEAT : VENDOR_HEARTBEAT,
    retry: OUTAGE_RETRY,
    summary,
  });
}

/** The API beats for a call about every three seconds; when all of it is gone, the engine worker looks at the call again. */
const RELAY_HEARTBEAT = '10 seconds';
/** For what is before it in the queue of its browser, and for telling. */
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
    // What was sent is waited for and told; what was not is taken back.
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
    // The wait for a free host is the queue: no failure, and no active time (workflows/waits/browser-queue.ts).
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
    // A batch that is asked to stop finishes its current command and tells what it has.
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
  return proxyActivities<BrowserActivities>({
    ...browserOptions(lease, route, timeouts),
    startToCloseTimeout: RELEASE_LIMIT,
    heartbeatTimeout: HEARTBEAT,
    retry: { maximumAttempts: route === 'worker' ? 1 : 3, initialInterval: '100 milliseconds' },
    summary: 'end with the browser',
  });
}
