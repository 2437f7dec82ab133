import { StreamEventType } from '../../contracts/events/stream-event';
import { SessionStatus } from '../../contracts/sessions/session';
import type { RunningBatch } from '../browsers/running-batch';
import type { SessionBrowser } from '../browsers/session-browser';
import type { SessionState } from '../sessions/session-state';

/** Pause and resume: requested at any time, done at the next safe point, where nothing is under way. */
export class Pause {
  private state: 'running' | 'requested' | 'paused';

  constructor(
    private readonly session: SessionState,
    private readonly browser: SessionBrowser,
    private readonly batch: RunningBatch,
    /** The run before this one was asked for a pause while it handed over. */
    wasRequested = false,
  ) {
    this.state = wasRequested ? 'requested' : 'running';
  }

  get isRequested(): boolean {
    return this.state === 'requested';
  }

  get isRequestedOrPaused(): boolean {
    return this.state !== 'running';
  }

  request(): void {
    this.state = 'requested';
    this.batch.stop();
  }

  resume(): void {
    this.state = 'running';
  }

  /** Waits while a pause is requested or in force; returns with a browser if the session had one. */
  async safePoint(): Promise<void> {
    do {
      while (this.isRequested) await this.pause();
      await this.browser.restore(() => this.isRequested);
    } while (this.isRequested || this.browser.isReleased);
  }

  /** WORKFLOW_PAUSED and the row's `paused` are written together. */
  private async pause(): Promise<void> {
    const { session } = this;
    this.state = 'paused';
    session.clock.stop();
    session.record('step-processor', StreamEventType.WORKFLOW_PAUSED, {
      message: 'Paused by the operator; no command starts until the session is resumed.',
      details: { pausedFor: 'operator' },
    });
    session.setStatus(SessionStatus.PAUSED);
    await session.publish('paused');
    await this.browser.waitWhile(() => this.state === 'paused');
    session.clock.start();
    session.record('step-processor', StreamEventType.WORKFLOW_RESUMED, { message: 'Resumed.' });
    session.setStatus(SessionStatus.ACTIVE);
    await session.publish('resumed');
  }
}
