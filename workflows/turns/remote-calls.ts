import type { ClientCallStatus } from '../../contracts/tools/client-call-status';

/** Calls that were sent to the caller's process, and whether a person is asked there before they run. */
export class RemoteCalls {
  private readonly sent = new Map<string, { dispatch: number; isAsking: boolean }>();

  /** Numbers a dispatch of the call; earlier dispatches are stale. */
  send(callId: string): number {
    const dispatch = (this.sent.get(callId)?.dispatch ?? 0) + 1;
    this.sent.set(callId, { dispatch, isAsking: false });
    return dispatch;
  }

  isCurrent({ callId, dispatch }: ClientCallStatus): boolean {
    return this.sent.get(callId)?.dispatch === dispatch;
  }

  setStatus({ callId, dispatch, state }: ClientCallStatus): void {
    this.sent.set(callId, { dispatch, isAsking: state === 'asking' });
  }

  isAsking(callId: string): boolean {
    return this.sent.get(callId)?.isAsking === true;
  }

  ended(callId: string): void {
    this.sent.delete(callId);
  }
}
