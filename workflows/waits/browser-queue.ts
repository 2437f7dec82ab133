import { CancellationScope, sleep, workflowInfo } from '@temporalio/workflow';
import type { Priority } from '@temporalio/common';
import type { QueuePositionInput } from '../../activities/engine-activities';
import { StreamEventType } from '../../contracts/events/stream-event';
import { DEFAULT_PRIORITY } from '../../contracts/sessions/start-request';
import { engineActivities } from '../proxies/activity-proxies';
import type { SessionState } from '../sessions/session-state';

/** A host with capacity takes a session within this time; after it the session reports that it waits. */
const REPORTED_AFTER_MS = 1000;
/** The position is looked up at growing intervals, because each look-up is an activity in the history. */
const FIRST_INTERVAL_MS = 5000;
const LONGEST_INTERVAL_MS = 300_000;
const FIRST_PRIORITY = 1;

/**
 * Temporal's queue of the sessions that want a browser. Waiting is no active time: no limit of the session runs, and
 * nothing is held.
 */
export class BrowserQueue {
  private requestCount = 0;
  private hasReportedWait = false;

  constructor(private readonly session: SessionState) {}

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
      const browser = await acquire(requestId, priority);
      if (this.hasReportedWait) this.reportEnd(Date.now() - since.getTime());
      return browser;
    } finally {
      reporting.cancel();
      session.details.setWait('browser', undefined);
      session.clock.start('queue');
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
    for (let interval = FIRST_INTERVAL_MS; ; interval = Math.min(interval * 2, LONGEST_INTERVAL_MS)) {
      const position = await engineActivities('look up the position in the browser queue').updateQueuePosition(request);
      // The browser may have come meanwhile.
      if (CancellationScope.current().consideredCancelled) return;
      session.details.setWait('browser', position === null ? undefined : `waiting for a browser, place ${position}`);
      session.showDetails();
      if (position === null) return session.clock.start('queue');
      this.hasReportedWait = true;
      session.clock.stop('queue');
      await sleep(interval, { summary: `place ${position} in the queue for a browser` });
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
