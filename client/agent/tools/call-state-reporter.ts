import type { ClientCallStatus } from '../../../contracts/tools/client-call-status';
import type { Sessions } from '../../../service/port/port';
import type { ClientCall } from './client-calls';
import { retryDuringOutage } from '../../../service/connection/retry-outages';

interface ReportedCall {
  dispatch: number;
  signal: AbortSignal;
  reported: Promise<unknown>;
}

/**
 * Reports to the session which calls wait for an approval in this process, and, before it runs, each that was approved.
 * When this process dies during the wait the next process asks again, and a call that the session has dispatched to
 * another process does not run here.
 */
export class CallStateReporter {
  private readonly asking = new Map<string, ReportedCall>();

  constructor(private readonly sessions: Pick<Sessions, 'reportCall'>) {}

  /** Reports that the call waits for an approval, before a person sees it. */
  async reportAsking(call: ClientCall, signal: AbortSignal): Promise<void> {
    const { callId, dispatch = 1 } = call;
    const reported = this.report(call, dispatch, 'asking', signal);
    this.asking.set(callId, { dispatch, signal, reported });
    await reported;
  }

  /** Reports a waiting call again, since the session has lost this process and dispatches the call once more. */
  reportAgain(call: ClientCall): void {
    const asking = this.asking.get(call.callId);
    // `reportRunning` throws the error of this report.
    if (asking !== undefined) this.reportAsking(call, asking.signal).catch(() => {});
  }

  /** Reports that an approved call runs now. Throws where it may not run here; does nothing for a call without approval. */
  async reportRunning(call: ClientCall): Promise<void> {
    const asking = this.asking.get(call.callId);
    if (asking === undefined) return;
    try {
      await asking.reported;
      await this.report(call, asking.dispatch, 'running', asking.signal);
    } catch (error) {
      throw new Error(`It was approved, but not run: ${(error as Error).message}`, { cause: error });
    }
    this.forget(call);
  }

  forget({ callId }: ClientCall): void {
    this.asking.delete(callId);
  }

  private async report(
    { sessionId, callId }: ClientCall,
    dispatch: number,
    state: ClientCallStatus['state'],
    signal: AbortSignal,
  ): Promise<void> {
    await retryDuringOutage(() => this.sessions.reportCall(sessionId, { callId, dispatch, state }), signal);
  }
}
