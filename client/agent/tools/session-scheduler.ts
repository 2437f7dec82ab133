import type { RecordFacts } from '../../../contracts/events/record-facts';
import { ToolCallStatus, type IToolCall } from '../../../contracts/tools/tool-call';
import type { ITool, ToolConfirmationPayload } from '../../../contracts/tools/tool';
import type { ToolConfirmationOutcome } from '../../../contracts/approvals/confirmation-outcome';
import { callSafely } from '../call-safely';
import { createAgentLogger } from '../logger';
import { AskedCalls } from './asked-calls';
import { SessionCalls } from './session-calls';
import { ToolScheduler, type ToolSchedulerConfig } from './tool-scheduler';

interface SessionHooks {
  /** Tools were added or removed: the session offers the new list from its next turn on. */
  onToolsChanged(): void;
  /** Decides a call that waits in the session. */
  decide(callId: string, outcome: ToolConfirmationOutcome, payload?: ToolConfirmationPayload): Promise<void>;
  /** Resolves to false where the session has no such call in progress. */
  cancelCall(callId: string, reason: string): Promise<boolean>;
}

/**
 * The scheduler of an agent. Approvals wait in the session and outlive this process, but for those of a program that has a
 * handler for them (`confirm`), which wait here. The same method decides both.
 */
export class SessionScheduler extends ToolScheduler {
  /** Whether questions of tools wait in the session; a program that decides by itself (S2.34) does so here. */
  readonly asksInSession: boolean;
  readonly asked: AskedCalls;
  readonly sessionCalls: SessionCalls;
  private readonly hooks: SessionHooks;

  constructor(config: ToolSchedulerConfig, hooks: SessionHooks) {
    // With `always` the session has already asked for each call.
    super(config.approvalMode === 'always' ? { ...config, tools: [], approvalMode: 'yolo' } : { ...config, tools: [] });
    this.hooks = hooks;
    this.sessionCalls = new SessionCalls((name) => this.getTool(name), hooks.decide);
    this.asked = new AskedCalls((name) => this.getTool(name), config.logger ?? createAgentLogger());
    this.asksInSession = config.confirm === undefined && (config.approvalMode ?? 'default') === 'default';
    for (const tool of config.tools ?? []) super.registerTool(tool);
  }

  override async handleConfirmationResponse(
    callId: string,
    outcome: ToolConfirmationOutcome,
    payload?: ToolConfirmationPayload,
  ): Promise<void> {
    const isHere = this.ownToolCalls().some(
      ({ request, status }) => request.callId === callId && status === ToolCallStatus.AwaitingApproval,
    );
    if (isHere) await super.handleConfirmationResponse(callId, outcome, payload);
    else await this.hooks.decide(callId, outcome, payload);
  }

  /** Calls that wait or run in this process. */
  ownToolCalls(): IToolCall[] {
    return super.getCurrentToolCalls();
  }

  /** The calls of the session, wherever they run; of one that runs here, as it is known here. */
  override getCurrentToolCalls(): IToolCall[] {
    const own = this.ownToolCalls();
    const isOwn = ({ request }: IToolCall): boolean => own.some((each) => each.request.callId === request.callId);
    return [...(this.sessionCalls?.all ?? []).filter((call) => !isOwn(call)), ...own];
  }

  override isRunning(): boolean {
    return super.isRunning() || this.sessionCalls.open.length > 0;
  }

  /** S2.R13: also calls that run, or wait for an approval, in the session. */
  override cancelAll(reason: string): void {
    const inSession = this.sessionCalls.open.map(({ request }) => request.callId);
    this.cancelOwn(reason);
    for (const callId of inSession) callSafely(this.logger, 'cancelAll', () => this.hooks.cancelCall(callId, reason));
  }

  /** Cancels the calls of this process alone. */
  cancelOwn(reason: string): void {
    super.cancelAll(reason);
  }

  /** Follows a record of the session's log. */
  follow(facts: RecordFacts, at: string): void {
    if (this.sessionCalls.follow(facts, at)) this.notifyUpdate();
  }

  /** Cancels the call in the session, wherever it runs; a call that no session has made is cancelled here. */
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
