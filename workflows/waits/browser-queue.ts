import { CancellationScope, sleep, workflowInfo } from '@temporalio/workflow';
import type { Priority } from '@temporalio/common';
import { StreamEventType } from '../../contracts/events/stream-event';
import { DEFAULT_PRIORITY } from '../../contracts/sessions/start-request';
import { engineActivities } from '../activities/proxies';
import type { SessionRun } from '../sessions/session-run';

/** A host with room takes a session at once; one that is slow to start its Chrome says that it has begun. */
const TOLD_AFTER_MS = 1000;
/** The place is looked up for Temporal's page of the session ever more seldom: each look stands in the history. */
const FIRST_LOOK_AFTER_MS = 5000;
const LONGEST_BETWEEN_LOOKS_MS = 300_000;

/** What the session was started with, by our request or by Temporal's own option. */
export function priorityOf({ request }: SessionRun): Priority & { priorityKey: number } {
  const given = workflowInfo().priority;
  const fairnessKey = request.tenant ?? given?.fairnessKey;
  return {
    priorityKey: request.priority ?? given?.priorityKey ?? DEFAULT_PRIORITY,
    ...(fairnessKey === undefined ? {} : { fairnessKey }),
  };
}

/**
 * Takes a browser from Temporal's queue of those that want one, and tells where the session stands in it. Waiting is no
 * active time: no limit of the session runs meanwhile, and nothing is held.
 */
export async function queueForBrowser<T>(
  run: SessionRun,
  priorityKey: number,
  acquire: (requestId: string) => Promise<T>,
): Promise<T> {
  const since = new Date();
  run.browserRequests += 1;
  const requestId = `${workflowInfo().runId}/browser-${run.browserRequests}`;
  const wait = { sessionId: run.sessionId, requestId, priority: priorityKey, since: since.toISOString() };
  const telling = new CancellationScope({ cancellable: true });
  telling.run(() => tellPlace(run, wait)).catch(() => {});
  try {
    const browser = await acquire(requestId);
    if (run.hasToldOfWaiting) tellOfItsEnd(run, Date.now() - since.getTime());
    return browser;
  } finally {
    telling.cancel();
    run.queuePosition = undefined;
    run.clock.start('queue');
  }
}

async function tellPlace(
  run: SessionRun,
  wait: { sessionId: string; requestId: string; priority: number; since: string },
): Promise<void> {
  await sleep(TOLD_AFTER_MS, { summary: 'a host with room takes the session at once' });
  for (let pause = FIRST_LOOK_AFTER_MS; ; pause = Math.min(pause * 2, LONGEST_BETWEEN_LOOKS_MS)) {
    const position = await engineActivities('look up the place in the queue for a browser').updateQueuePosition(wait);
    // The browser may have come meanwhile.
    if (CancellationScope.current().consideredCancelled) return;
    run.queuePosition = position ?? undefined;
    run.updateDetails();
    if (position === null) return run.clock.start('queue');
    run.hasToldOfWaiting = true;
    run.clock.stop('queue');
    await sleep(pause, { summary: `place ${position} in the queue for a browser` });
  }
}

function tellOfItsEnd(run: SessionRun, waitedMs: number): void {
  run.hasToldOfWaiting = false;
  run.record('executor-streamer', StreamEventType.SESSION_STATUS, {
    message: `Got a browser after ${Math.round(waitedMs / 1000)} s of waiting.`,
    details: { status: run.status, waitedMs },
  });
}
