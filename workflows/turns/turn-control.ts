import { CancellationScope, CancelledFailure, isCancellation } from '@temporalio/workflow';

/** The running response was cancelled; the session was not. */
export class TurnCancelled extends Error {}

/**
 * Cancels the response of a conversation without ending the conversation: the model call, tools, waits for an answer. A
 * command in the session's browser is finished first, because the session goes on with that browser.
 */
export class TurnControl {
  private readonly scopes = new Set<CancellationScope>();
  /** Why the response is cancelled; undefined when it is not. */
  private reason: string | undefined;
  private isUnderWay = false;

  get canCancel(): boolean {
    return this.isUnderWay && this.reason === undefined;
  }

  get isCancelled(): boolean {
    return this.reason !== undefined;
  }

  begin(): void {
    this.isUnderWay = true;
    this.reason = undefined;
  }

  end(): void {
    this.isUnderWay = false;
    this.reason = undefined;
  }

  cancel(reason: string): void {
    this.reason = reason;
    for (const scope of this.scopes) scope.cancel();
  }

  /** Throws when the response, or the task, was cancelled. Called before each model call and after each tool. */
  check(): void {
    if (CancellationScope.current().consideredCancelled) throw new CancelledFailure('The task was cancelled.');
    if (this.reason !== undefined) throw new TurnCancelled(this.reason);
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    this.check();
    const outer = CancellationScope.current();
    const scope = new CancellationScope({ cancellable: true });
    this.scopes.add(scope);
    try {
      return await scope.run(work);
    } catch (error) {
      if (this.reason !== undefined && isCancellation(error) && !outer.consideredCancelled)
        throw new TurnCancelled(this.reason);
      throw error;
    } finally {
      this.scopes.delete(scope);
    }
  }
}
