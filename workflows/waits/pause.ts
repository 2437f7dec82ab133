import { CancellationScope, isCancellation } from '@temporalio/workflow';
import { StreamEventType } from '../../contracts/events/stream-event';
import { SessionStatus } from '../../contracts/sessions/session';
import { restoreBrowser, waitOutPause } from '../browsers/release';
import type { SessionRun } from '../sessions/session-run';

type PauseState = { kind: 'running' } | { kind: 'requested' } | { kind: 'paused' };

/** Pause and resume: asked for at any time, done at the next safe point, where nothing is under way. */
export class PauseControl {
  private state: PauseState = { kind: 'running' };
  private batch: CancellationScope | undefined;

  constructor(private readonly run: SessionRun) {
    run.pause = this;
  }

  get isRequested(): boolean {
    return this.state.kind === 'requested';
  }

  get isAskedOrPaused(): boolean {
    return this.state.kind !== 'running';
  }

  request(): void {
    this.state = { kind: 'requested' };
    this.stopBatch();
  }

  /** Stops the batch that runs after its current command, for whoever then does not run it again. */
  stopBatch(): void {
    this.batch?.cancel();
  }

  resume(): void {
    this.state = { kind: 'running' };
  }

  /**
   * Work that a pause stops after its current command; it then tells what it has, and the caller runs it again.
   * Undefined when there is nothing to tell: no worker had taken it yet, or the one that had is gone.
   */
  async interruptible<T>(work: () => Promise<T>): Promise<T | undefined> {
    const outer = CancellationScope.current();
    const batch = new CancellationScope({ cancellable: true });
    this.batch = batch;
    try {
      return await batch.run(work);
    } catch (error) {
      if (isCancellation(error) && !outer.consideredCancelled) return undefined;
      throw error;
    } finally {
      this.batch = undefined;
    }
  }

  /** Waits here while a pause is asked for or in force, and comes back with a browser if it had one. */
  async safePoint(): Promise<void> {
    do {
      await this.pauseIfAsked();
      await restoreBrowser(this.run, () => this.isRequested);
    } while (this.isRequested || this.run.awayFrom !== undefined);
  }

  /** WORKFLOW_PAUSED and the row's `paused` are written together. */
  private async pauseIfAsked(): Promise<void> {
    while (this.state.kind === 'requested') {
      this.state = { kind: 'paused' };
      this.run.clock.stop();
      this.run.record('step-processor', StreamEventType.WORKFLOW_PAUSED, {
        message: 'Paused by the operator; no command starts until the session is resumed.',
        details: { pausedFor: 'operator' },
      });
      this.run.setStatus(SessionStatus.PAUSED);
      await this.run.publish('paused');
      await waitOutPause(this.run, () => this.state.kind === 'paused');
      this.run.clock.start();
      this.run.record('step-processor', StreamEventType.WORKFLOW_RESUMED, { message: 'Resumed.' });
      this.run.setStatus(SessionStatus.ACTIVE);
      await this.run.publish('resumed');
    }
  }
}
