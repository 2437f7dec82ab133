import { CancellationScope, sleep } from '@temporalio/workflow';
import { StreamEventType } from '../../contracts/events/stream-event';
import type { SessionBrowser } from '../browsers/session-browser';
import type { RunningSession } from '../state/session-state';
import type { Pause } from './pause';

/** A session that stays open between its tasks (`config.agent.stayOpen`), until somebody closes it or it is idle for too long. */
export class NextTask {
  constructor(
    private readonly session: RunningSession,
    private readonly browser: SessionBrowser,
    private readonly pause: Pause,
    private closing = false,
  ) {}

  /** No further task is wanted: the session ends when it has done what it has. */
  get isClosing(): boolean {
    return this.closing;
  }

  close(): void {
    this.closing = true;
  }

  /** Waits for the next task, with the clock stopped; a long wait releases the browser. Resolves to whether there is one. */
  async waitForTask(): Promise<boolean> {
    const { session } = this;
    const { idleTimeoutMs } = session.config.agent;
    const hasTask = (): boolean => session.steps.remainingCount > 0;
    let isIdleTooLong = false;
    const idling = new CancellationScope({ cancellable: true });
    if (idleTimeoutMs !== undefined) {
      const idle = async (): Promise<void> => {
        await sleep(idleTimeoutMs, { summary: 'end the conversation when it is idle for so long' });
        isIdleTooLong = true;
      };
      idling.run(idle).catch(() => {});
    }
    const isOver = (): boolean => hasTask() || this.closing || isIdleTooLong;
    if (!isOver()) {
      session.record('executor-streamer', StreamEventType.SESSION_STATUS, {
        message: 'Waiting for the next task.',
        details: { status: session.status, waitingFor: 'message' },
      });
      session.outbox.patchRow({ waitingFor: { pausedFor: 'message' } });
    }
    session.details.setWait('task', 'waiting for the next task');
    session.showDetails();
    session.clock.stop('idle');
    try {
      // Readers must see the end of the last task before anybody sends the next one.
      if (!isOver()) await session.publish('wait for the next task');
      while (!isOver()) {
        await this.browser.waitWhile(() => !isOver() && !this.pause.isRequested);
        if (this.pause.isRequested) await this.pause.safePoint();
      }
    } finally {
      idling.cancel();
      session.outbox.patchRow({ waitingFor: null });
      session.details.setWait('task', undefined);
      session.clock.start('idle');
    }
    return hasTask();
  }
}
