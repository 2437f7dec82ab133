import { nextCallStatus, isTerminalCallStatus, type CallTransition } from '../../../contracts/tools/call-states';
import {
  ToolCallStatus,
  type ICompletedToolCall,
  type IToolCall,
  type IToolCallRequestInfo,
  type IToolCallResponseInfo,
} from '../../../contracts/tools/tool-call';
import type { ITool, ToolCallConfirmationDetails } from '../../../contracts/tools/tool';
import type { ToolConfirmationOutcome } from '../../../contracts/approvals/confirmation-outcome';
import { errorResponse } from './call-response';

/** Characters of live output; of a longer output the end is kept. */
const MAX_LIVE_OUTPUT = 1_000_000;

/** One call in the states of S2.R6; a terminal state never changes. */
export class ScheduledCall {
  status = ToolCallStatus.Validating;
  outcome: ToolConfirmationOutcome | undefined;
  details: ToolCallConfirmationDetails | undefined;
  /** Resolves when the call is in a terminal state. */
  readonly ended: Promise<void>;
  private liveOutput = '';
  private startedAt: number | undefined;
  private durationMs: number | undefined;
  private response: IToolCallResponseInfo | undefined;
  private readonly startTime = Date.now();
  private readonly stopping = new AbortController();
  private end: () => void = () => {};
  private stopWaiting: () => void = () => {};

  constructor(
    public request: IToolCallRequestInfo,
    readonly tool: ITool | undefined,
    private readonly onChange: (call: ScheduledCall) => void,
  ) {
    this.ended = new Promise((resolve) => (this.end = resolve));
  }

  get isEnded(): boolean {
    return isTerminalCallStatus(this.status);
  }

  /** Aborts when the call is cancelled. */
  get signal(): AbortSignal {
    return this.stopping.signal;
  }

  /** Like all transitions, returns false and changes nothing where the state does not allow it. */
  awaitApproval(details: ToolCallConfirmationDetails): boolean {
    return this.transition({ kind: 'asked' }, () => (this.details = details));
  }

  /** Resolves when the call does not wait for an approval any more. */
  async decided(): Promise<void> {
    if (this.status !== ToolCallStatus.AwaitingApproval) return;
    await new Promise<void>((resolve) => (this.stopWaiting = resolve));
  }

  schedule(): boolean {
    return this.transition({ kind: 'cleared' });
  }

  start(): boolean {
    return this.transition({ kind: 'begun' }, () => (this.startedAt = performance.now()));
  }

  succeed(response: IToolCallResponseInfo): boolean {
    return this.transition({ kind: 'succeeded' }, () => (this.response = response));
  }

  fail(error: Error): boolean {
    const { message: reason } = error;
    return this.transition({ kind: 'failed', reason }, () => (this.response = errorResponse(this.request, error)));
  }

  cancel(reason: string): boolean {
    // A call of an unknown tool ends as an error (S2.A10).
    if (this.tool === undefined) return false;
    return this.transition({ kind: 'cancelled', reason }, () => {
      this.response = errorResponse(this.request, new Error(reason));
      this.stopping.abort(new Error(reason));
    });
  }

  addOutput(chunk: string): boolean {
    if (this.status !== ToolCallStatus.Executing) return false;
    this.liveOutput = (this.liveOutput + chunk).slice(-MAX_LIVE_OUTPUT);
    this.onChange(this);
    return true;
  }

  snapshot(): IToolCall {
    const { request, startTime, outcome } = this;
    const tool = this.tool!;
    const base = { request, startTime, ...(outcome === undefined ? {} : { outcome }) };
    switch (this.status) {
      case ToolCallStatus.Validating:
      case ToolCallStatus.Scheduled:
        return { ...base, status: this.status, tool };
      case ToolCallStatus.AwaitingApproval:
        return { ...base, status: this.status, tool, confirmationDetails: this.details! };
      case ToolCallStatus.Executing:
        return {
          ...base,
          status: this.status,
          tool,
          ...(this.liveOutput === '' ? {} : { liveOutput: this.liveOutput }),
        };
      default:
        return this.completed();
    }
  }

  completed(): ICompletedToolCall {
    const { request, startTime, outcome, status, durationMs } = this;
    const base = { request, startTime, ...(outcome === undefined ? {} : { outcome }) };
    const end = { ...base, response: this.response!, ...(durationMs === undefined ? {} : { durationMs }) };
    if (status === ToolCallStatus.Success) return { ...end, status, tool: this.tool! };
    if (status === ToolCallStatus.Cancelled) return { ...end, status, tool: this.tool! };
    return { ...end, status: ToolCallStatus.Error };
  }

  private transition(happening: CallTransition, change: () => void = () => {}): boolean {
    const next = nextCallStatus(this.status, happening.kind);
    if (next === undefined) return false;
    this.status = next;
    if (this.isEnded && this.startedAt !== undefined) this.durationMs = Math.round(performance.now() - this.startedAt);
    change();
    this.onChange(this);
    if (next !== ToolCallStatus.AwaitingApproval) this.stopWaiting();
    if (this.isEnded) this.end();
    return true;
  }
}
