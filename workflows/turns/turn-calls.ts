import { CancellationScope } from '@temporalio/workflow';
import {
  createCallStates,
  applyCallTransition,
  isTerminalCallStatus,
  type CallTransition,
  type CallState,
} from '../../contracts/tools/call-states';
import type { PlannedCall } from '../../contracts/tools/planned-call';
import { ToolCallStatus } from '../../contracts/tools/tool-call';
import { isSuperseded } from '../proxies/failures';

/** One call was cancelled while it ran; its turn goes on. */
export class CallCancelled extends Error {
  constructor(
    readonly reason: string,
    /** Nothing of it was begun. */
    readonly isUnsent: boolean,
    cause?: unknown,
  ) {
    super('The call was cancelled.', { cause });
  }
}

interface CancelHandlers {
  /** Records the end of a call that never began. */
  unrun: (call: PlannedCall, reason: string) => void;
  /** Stops a call that runs in the session's browser after its current command. */
  stop: (call: PlannedCall, reason: string) => void;
}

/** The calls of the turn that is under way and their states (S2.R6); each can be cancelled alone. */
export class TurnCalls {
  private calls: readonly PlannedCall[] = [];
  private states: readonly CallState[] = [];
  private handlers: CancelHandlers | undefined;
  /** By call, the reasons of cancellations of calls that run; whoever runs such a call records its end. */
  private readonly cancellations = new Map<string, string>();
  private readonly scopes = new Map<string, CancellationScope>();

  begin(calls: readonly PlannedCall[], handlers: CancelHandlers): void {
    this.calls = calls;
    this.states = createCallStates(calls.map(({ callId }) => callId));
    this.handlers = handlers;
    this.cancellations.clear();
  }

  /** Keeps the states, so that a late message is answered with how its call ended. */
  end(): void {
    this.handlers = undefined;
  }

  mark(callId: string, transition: CallTransition): void {
    this.states = applyCallTransition(this.states, callId, transition);
  }

  find(callId: string): CallState | undefined {
    return this.states.find((call) => call.callId === callId);
  }

  /** Ids of the calls that were sent off and have not come back. */
  get executing(): string[] {
    return this.states.filter(({ status }) => status === ToolCallStatus.Executing).map(({ callId }) => callId);
  }

  isEnded(callId: string): boolean {
    const status = this.find(callId)?.status;
    return status !== undefined && isTerminalCallStatus(status);
  }

  /** Why a running call is being cancelled; undefined when it is not. */
  cancellationOf(callId: string): string | undefined {
    return this.cancellations.get(callId);
  }

  /** Why a call can't be cancelled; undefined when it can. */
  obstacle(callId: string): string | undefined {
    const call = this.find(callId);
    if (call === undefined || (this.handlers === undefined && !isTerminalCallStatus(call.status)))
      return 'it is none of the calls under way';
    if (isTerminalCallStatus(call.status)) return `it has ended already (${call.status})`;
    return this.cancellations.has(callId) ? 'it is being cancelled already' : undefined;
  }

  /** Cancels a call; the caller has checked that there is no obstacle. Returns whether the call has ended with it. */
  cancel(callId: string, reason: string): boolean {
    const call = this.calls.find((each) => each.callId === callId)!;
    if (this.find(callId)?.status === ToolCallStatus.Executing) {
      this.cancellations.set(callId, reason);
      this.scopes.get(callId)?.cancel();
      this.handlers?.stop(call, reason);
      return false;
    }
    this.handlers?.unrun(call, reason);
    this.mark(callId, { kind: 'cancelled', reason });
    return true;
  }

  /** Runs work of one call that is given up when that call alone is cancelled. A result that came nevertheless counts. */
  async during<T>(callId: string, work: () => Promise<T>): Promise<T> {
    const outer = CancellationScope.current();
    const earlier = this.cancellations.get(callId);
    if (earlier !== undefined) throw new CallCancelled(earlier, true);
    const scope = new CancellationScope({ cancellable: true });
    this.scopes.set(callId, scope);
    try {
      return await scope.run(work);
    } catch (error) {
      const reason = this.cancellations.get(callId);
      if (reason === undefined || outer.consideredCancelled || isSuperseded(error)) throw error;
      throw new CallCancelled(reason, false, error);
    } finally {
      this.scopes.delete(callId);
    }
  }
}
