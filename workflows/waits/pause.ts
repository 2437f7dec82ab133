import { StreamEventType } from '../../contracts/events/stream-event';
import { SessionStatus } from '../../contracts/sessions/session';
import type { RunningBatch } from '../browsers/running-batch';
import type { SessionBrowser } from '../browsers/session-browser';
import type { RunningSession } from '../state/session-state';

/** Pause and resume: requested at any time, done at the next safe point, where nothing is under way. */
export class Pause {
  private state: 'running' | 'requested' | 'paused';
  /** What a person is to look at before the session goes on. */
  private holding: { message: string; pausedFor: 'operator' | 'rolled-back-store' } | undefined;

  constructor(
    private readonly session: RunningSession,
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

  /** Pauses until a person has looked at this and resumes the session. */
  hold(message: string, pausedFor: 'operator' | 'rolled-back-store'): void {
    this.holding = { message, pausedFor };
    if (this.state === 'running') this.request();
  }

  resume(): void {
    this.state = 'running';
  }

  /** Waits while a pause is requested or in force; whoever needs a browser then asks for it. */
  async untilResumed(): Promise<void> {
    while (this.isRequested) await this.pause();
  }

  /** Waits while a pause is requested or in force; returns with a browser if the session had one. */
  async safePoint(): Promise<void> {
    do {
      await this.untilResumed();
      await this.browser.restore(() => this.isRequested);
    } while (this.isRequested || this.browser.isReleased);
  }

  /** WORKFLOW_PAUSED and the row's `paused` are written together. */
  private async pause(): Promise<void> {
    const { session, holding } = this;
    this.state = 'paused';
    this.holding = undefined;
    session.clock.stop();
    const {
      message = 'Paused by the operator; no command starts until the session is resumed.',
      pausedFor = 'operator',
    } = holding ?? {};
    session.record('step-processor', StreamEventType.WORKFLOW_PAUSED, { message, details: { pausedFor } });
    if (pausedFor === 'rolled-back-store') session.outbox.patchRow({ waitingFor: { pausedFor, message } });
    session.setStatus(SessionStatus.PAUSED);
    await session.publish('paused');
    await this.browser.waitWhile(() => this.state === 'paused');
    session.clock.start();
    if (pausedFor === 'rolled-back-store') session.outbox.patchRow({ waitingFor: null });
    session.record('step-processor', StreamEventType.WORKFLOW_RESUMED, { message: 'Resumed.' });
    session.setStatus(SessionStatus.ACTIVE);
    await session.publish('resumed');
  }
}
