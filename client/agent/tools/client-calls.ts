import { BrowserToolResultSchema, type BrowserToolResult } from '../../../contracts/tasks/agent-loop';
import type { ClientClearance } from '../../../contracts/tools/client-question';
import { truncateResult } from './truncate-result';
import { errorMessage } from '../../../contracts/errors/error-message';
import { issuesOf, issuesText } from '../../../contracts/errors/issues';

/** A call of a tool that runs in the caller's process, as the session sends it. */
export interface ClientCall {
  sessionId: string;
  callId: string;
  name: string;
  args: Record<string, unknown>;
  /** How often the session has sent it, this time included. */
  dispatch?: number | undefined;
  /** A person was asked in the session. */
  clearance?: ClientClearance | undefined;
}

/** Runs a tool of the caller's process. */
export type RunClientTool = (call: ClientCall, signal: AbortSignal) => Promise<BrowserToolResult>;

interface RunningCall {
  result: Promise<BrowserToolResult>;
  stopping: AbortController;
}

/** Results that are kept for repeated calls; a session repeats a call within seconds. */
const MAX_KEPT_CALLS = 1000;

/**
 * Runs each call once, however often it is sent: a repeated call gets the result of the first, also while that still
 * runs. Never rejects.
 */
export class ClientCalls {
  private readonly calls = new Map<string, RunningCall>();

  constructor(
    private readonly run: RunClientTool,
    private readonly onRepeated: (call: ClientCall) => void = () => {},
  ) {}

  result(call: ClientCall): Promise<BrowserToolResult> {
    const key = keyOf(call);
    const known = this.calls.get(key);
    if (known !== undefined) {
      this.onRepeated(call);
      return known.result;
    }
    const stopping = new AbortController();
    const result = this.answer(call, stopping.signal);
    this.calls.set(key, { result, stopping });
    void result.then(() => this.forgetTheOldest());
    return result;
  }

  stop(call: ClientCall, reason: string): void {
    this.calls.get(keyOf(call))?.stopping.abort(new Error(reason));
  }

  stopAll(reason: string): void {
    for (const { stopping } of this.calls.values()) stopping.abort(new Error(reason));
  }

  private async answer(call: ClientCall, signal: AbortSignal): Promise<BrowserToolResult> {
    try {
      const given: unknown = await this.run(call, signal);
      const parsed = BrowserToolResultSchema.safeParse(given);
      if (parsed.success) return truncateResult(parsed.data);
      const wrong = issuesText(issuesOf(parsed.error));
      return { success: false, error: `${call.name} gave no tool result (${wrong}).` };
    } catch (error) {
      return truncateResult({ success: false, error: errorMessage(error) });
    }
  }

  private forgetTheOldest(): void {
    const [oldest] = this.calls.keys();
    if (this.calls.size > MAX_KEPT_CALLS && oldest !== undefined) this.calls.delete(oldest);
  }
}

function keyOf({ sessionId, callId }: ClientCall): string {
  return `${sessionId}/${callId}`;
}
