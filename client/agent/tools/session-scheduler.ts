import { ToolCallStatus } from '../../../contracts/tools/tool-call';
import type { ITool, ToolConfirmationOutcome, ToolConfirmationPayload } from '../../../contracts/tools/tool';
import { ToolScheduler, type ToolSchedulerConfig } from './tool-scheduler';

interface SessionHooks {
  /** Tools came or went: the session is to offer others from its next turn on. */
  onToolsChanged(): void;
  /** An answer for a call that waits in the session, not here. */
  decide(callId: string, outcome: ToolConfirmationOutcome, payload?: ToolConfirmationPayload): Promise<void>;
  /** False where the session has no such call under way. */
  cancelCall(callId: string, reason: string): Promise<boolean>;
}

/**
 * The scheduler of an agent. What a tool of this process asks is answered here; what the session asks, of the browser's
 * tools, or of all of them with `approvalMode: "always"`, waits in the session, outlives this process, and is answered
 * there through the same method.
 */
export class SessionScheduler extends ToolScheduler {
  private readonly hooks: SessionHooks;

  constructor(config: ToolSchedulerConfig, hooks: SessionHooks) {
    // The session has asked already where every call is asked for.
    super(config.approvalMode === 'always' ? { ...config, tools: [], approvalMode: 'yolo' } : { ...config, tools: [] });
    this.hooks = hooks;
    for (const tool of config.tools ?? []) super.registerTool(tool);
  }

  override async handleConfirmationResponse(
    callId: string,
    outcome: ToolConfirmationOutcome,
    payload?: ToolConfirmationPayload,
  ): Promise<void> {
    const isHere = this.getCurrentToolCalls().some(
      ({ request, status }) => request.callId === callId && status === ToolCallStatus.AwaitingApproval,
    );
    if (isHere) await super.handleConfirmationResponse(callId, outcome, payload);
    else await this.hooks.decide(callId, outcome, payload);
  }

  /** The session stops it, wherever it runs, also here; only what no session has called is cancelled here alone. */
  override async cancelCall(callId: string, reason: string): Promise<boolean> {
    return (await this.hooks.cancelCall(callId, reason)) || (await super.cancelCall(callId, reason));
  }

  override registerTool(tool: ITool): void {
    super.registerTool(tool);
    this.hooks?.onToolsChanged();
  }

  override removeTool(toolName: string): boolean {
    const wasThere = super.removeTool(toolName);
    if (wasThere) this.hooks.onToolsChanged();
    return wasThere;
  }
}
