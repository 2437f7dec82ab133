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
import { isSuperseded } from '../activities/failures';

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

interface Turn {
  /** Tells the end of a call that never began. */
  unrun: (call: PlannedCall, reason: string) => void;
  /** Stops one that runs in the session's own browser after what it is at. */
  stop: (call: PlannedCall) => void;
}

/** The calls of the turn that is under way and their states (S2.R6), for whoever wants one of them cancelled. */
export class TurnCalls {
  private calls: readonly PlannedCall[] = [];
  private states: readonly CallState[] = [];
  private turn: Turn | undefined;
  /** Why; of calls whose end is told by whoever runs them. */
  private readonly wishes = new Map<string, string>();
  private readonly scopes = new Map<string, CancellationScope>();

  begin(calls: readonly PlannedCall[], turn: Turn): void {
    this.calls = calls;
    this.states = createCallStates(calls.map(({ callId }) => callId));
    this.turn = turn;
    this.wishes.clear();
  }

  /** The states are kept, so that a message that comes too late hears how its call ended. */
  end(): void {
    this.turn = undefined;
  }

  mark(callId: string, happening: CallTransition): void {
    this.states = applyCallTransition(this.states, callId, happening);
  }

  find(callId: string): CallState | undefined {
    return this.states.find((call) => call.callId === callId);
  }

  isEnded(callId: string): boolean {
    const status = this.find(callId)?.status;
    return status !== undefined && isTerminalCallStatus(status);
  }

  /** Why a call that runs is to be stopped; undefined while nobody wants it. */
  wishFor(callId: string): string | undefined {
    return this.wishes.get(callId);
  }

  /** What stands in the way; undefined where it can be cancelled. */
  obstacle(callId: string): string | undefined {
    const call = this.find(callId);
    if (call === undefined || (this.turn === undefined && !isTerminalCallStatus(call.status)))
      return 'it is none of the calls under way';
    if (isTerminalCallStatus(call.status)) return `it has ended already (${call.status})`;
    return this.wishes.has(callId) ? 'it is being cancelled already' : undefined;
  }

  /** Whoever calls has made sure that nothing stands in the way. True where it ended with this word. */
  cancel(callId: string, reason: string): boolean {
    const call = this.calls.find((each) => each.callId === callId)!;
    if (this.find(callId)?.status === ToolCallStatus.Executing) {
      this.wishes.set(callId, reason);
      this.scopes.get(callId)?.cancel();
      this.turn?.stop(call);
      return false;
    }
    this.turn?.unrun(call, reason);
    this.mark(callId, { kind: 'cancelled', reason });
    return true;
  }

  /** Work of one call, given up when that call alone is cancelled. What is through nevertheless counts. */
  async during<T>(callId: string, work: () => Promise<T>): Promise<T> {
    const outer = CancellationScope.current();
    const asked = this.wishes.get(callId);
    if (asked !== undefined) throw new CallCancelled(asked, true);
    const scope = new CancellationScope({ cancellable: true });
    this.scopes.set(callId, scope);
    try {
      return await scope.run(work);
    } catch (error) {
      const reason = this.wishes.get(callId);
      if (reason === undefined || outer.consideredCancelled || isSuperseded(error)) throw error;
      throw new CallCancelled(reason, false, error);
    } finally {
      this.scopes.delete(callId);
    }
  }
}
