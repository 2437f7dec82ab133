import type { ClientCallStatus } from '../../../contracts/tools/client-call-status';
import type { Sessions } from '../../port';
import type { ClientCall } from './client-calls';
import { retryDuringOutage } from '../retry-outages';

interface ReportedCall {
  dispatch: number;
  signal: AbortSignal;
  told: Promise<unknown>;
}

/**
 * Tells the session of calls that wait for an answer in this process, and that they begin, before they do. So the next
 * process asks again when this one dies while somebody is asked, and a call that another process was given does not run here.
 */
export class CallStateReporter {
  private readonly asking = new Map<string, ReportedCall>();

  constructor(private readonly sessions: Pick<Sessions, 'reportCall'>) {}

  /** A question that is shown is one that outlives this process: so the session is told first. */
  async reportAsking(call: ClientCall, signal: AbortSignal): Promise<void> {
    const { callId, dispatch = 1 } = call;
    const told = this.report(call, dispatch, 'asking', signal);
    this.asking.set(callId, { dispatch, signal, told });
    await told;
  }

  /** The session has lost this process out of sight, and sends the call again. */
  reportAgain(call: ClientCall): void {
    const asking = this.asking.get(call.callId);
    // What goes wrong is heard when the call is to begin.
    if (asking !== undefined) this.reportAsking(call, asking.signal).catch(() => {});
  }

  /** Throws where the call is not to run here. One that nobody was asked about needs no word. */
  async reportRunning(call: ClientCall): Promise<void> {
    const asking = this.asking.get(call.callId);
    if (asking === undefined) return;
    try {
      await asking.told;
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
