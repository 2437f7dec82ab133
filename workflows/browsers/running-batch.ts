import { CancellationScope, isCancellation } from '@temporalio/workflow';

/** The work in the browser that is under way: a pause or a cancelled call stops it after its current command. */
export class RunningBatch {
  private scope: CancellationScope | undefined;
  private inFlight: Promise<unknown> | undefined;

  /** Resolves when what is under way has ended, however it ends; undefined when nothing is. */
  get ended(): Promise<unknown> | undefined {
    return this.inFlight;
  }

  stop(): void {
    this.scope?.cancel();
  }

  /**
   * Runs work that `stop` interrupts: it then returns what it has, and the caller runs it again. Undefined when there is no
   * result: no worker had taken it yet, or the worker that had is gone.
   */
  async run<T>(work: () => Promise<T>): Promise<T | undefined> {
    const outer = CancellationScope.current();
    const scope = new CancellationScope({ cancellable: true });
    this.scope = scope;
    const result = scope.run(work).finally(() => {
      this.scope = undefined;
      this.inFlight = undefined;
    });
    this.inFlight = result.catch(() => {});
    try {
      return await result;
    } catch (error) {
      if (isCancellation(error) && !outer.consideredCancelled) return undefined;
      throw error;
    }
  }
}
