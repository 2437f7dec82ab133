import { CancellationScope, isCancellation, sleep, workflowInfo } from '@temporalio/workflow';
import type { Priority } from '@temporalio/common';
import type { QueuePositionInput } from '../../activities/signatures/engine-activities';
import { StreamEventType } from '../../contracts/events/stream-event';
import { DEFAULT_PRIORITY } from '../../contracts/sessions/start-request';
import { engineActivities } from '../proxies/activity-proxies';
import type { RunningSession } from '../state/session-state';

/** A host with capacity takes a session within this time; after it the session reports that it waits. */
const REPORTED_AFTER_MS = 1000;
/** The position is looked up at growing intervals, because each look-up is an activity in the history. */
const FIRST_INTERVAL_MS = 5000;
const LONGEST_INTERVAL_MS = 300_000;
const FIRST_PRIORITY = 1;
/**
 * So many look-ups in a row find a session overlooked before its task is scheduled anew: a browser that has just become free
 * is given away in between. Temporal 1.29 can forget a task of a queue with fairness while it gives newer ones to the workers
 * that wait (temporalio/temporal#11048).
 */
const OVERLOOKED_BEFORE_ANEW = 2;

/**
 * Temporal's queue of the sessions that want a browser. Waiting is no active time: no limit of the session runs, and
 * nothing is held.
 */
export class BrowserQueue {
  private requestCount = 0;
  private hasReportedWait = false;
  /** Schedules the task of the session that waits anew. */
  private reschedule: (() => void) | undefined;

  constructor(private readonly session: RunningSession) {}

  /** Waits for `acquire`, and reports the position of the session meanwhile. A session that has lost its browser goes first. */
  async wait<T>(hasLostBrowser: boolean, acquire: (requestId: string, priority: Priority) => Promise<T>): Promise<T> {
    const { session } = this;
    const priority = { ...this.priority(), ...(hasLostBrowser ? { priorityKey: FIRST_PRIORITY } : {}) };
    const since = new Date();
    this.requestCount += 1;
    const requestId = `${workflowInfo().runId}/browser-${this.requestCount}`;
    const request = { sessionId: session.id, requestId, priority: priority.priorityKey, since: since.toISOString() };
    const reporting = new CancellationScope({ cancellable: true });
    reporting.run(() => this.reportPosition(request)).catch(() => {});
    try {
      const browser = await this.scheduled(() => acquire(requestId, priority));
      if (this.hasReportedWait) this.reportEnd(Date.now() - since.getTime());
      return browser;
    } finally {
      reporting.cancel();
      session.details.setWait('browser', undefined);
      session.clock.start('queue');
    }
  }

  /** Temporal's task, and another one in its place for as long as it is overlooked. */
  private async scheduled<T>(acquire: () => Promise<T>): Promise<T> {
    for (;;) {
      const task = new CancellationScope({ cancellable: true });
      let pending!: Promise<T>;
      // Begins at once; awaited outside, so that histories from before there was a scope replay in the same order.
      void task.run(async () => void (pending = acquire()));
      let isReplaced = false;
      this.reschedule = () => {
        isReplaced = true;
        task.cancel();
      };
      try {
        return await pending;
      } catch (error) {
        // A cancellation of the session itself ends the wait.
        if (!isReplaced || !isCancellation(error) || CancellationScope.current().consideredCancelled) throw error;
      } finally {
        this.reschedule = undefined;
      }
    }
  }

  /** Of the request, else of Temporal's own start option. */
  private priority(): Priority & { priorityKey: number } {
    const { tenant, priority } = this.session.start;
    const own = workflowInfo().priority;
    const fairnessKey = tenant ?? own?.fairnessKey;
    return {
      priorityKey: priority ?? own?.priorityKey ?? DEFAULT_PRIORITY,
      ...(fairnessKey === undefined ? {} : { fairnessKey }),
    };
  }

  private async reportPosition(request: QueuePositionInput): Promise<void> {
    const { session } = this;
    await sleep(REPORTED_AFTER_MS, { summary: 'a host with capacity takes the session at once' });
    let overlooked = 0;
    for (let interval = FIRST_INTERVAL_MS; ; interval = Math.min(interval * 2, LONGEST_INTERVAL_MS)) {
      const place = await engineActivities('look up the position in the browser queue').updateQueuePosition(request);
      // The browser may have come meanwhile.
      if (CancellationScope.current().consideredCancelled) return;
      session.details.setWait('browser', place === null ? undefined : `waiting for a browser, place ${place.position}`);
      session.showDetails();
      if (place === null) return session.clock.start('queue');
      this.hasReportedWait = true;
      session.clock.stop('queue');
      overlooked = place.isOverlooked === true ? overlooked + 1 : 0;
      if (overlooked === OVERLOOKED_BEFORE_ANEW) {
        overlooked = 0;
        this.reschedule?.();
      }
      await sleep(overlooked > 0 ? FIRST_INTERVAL_MS : interval, {
        summary: `place ${place.position} in the queue for a browser`,
      });
    }
  }

  private reportEnd(waitedMs: number): void {
    this.hasReportedWait = false;
    this.session.record('executor-streamer', StreamEventType.SESSION_STATUS, {
      message: `Got a browser after ${Math.round(waitedMs / 1000)} s of waiting.`,
      details: { status: this.session.status, waitedMs },
    });
  }
}
