import type { RecordFacts } from '../../../contracts/events/record-facts';
import { ToolCallStatus, type IToolCall, type IToolCallRequestInfo } from '../../../contracts/tools/tool-call';
import type { ITool, ToolConfirmationPayload } from '../../../contracts/tools/tool';
import type { ToolConfirmationOutcome } from '../../../contracts/approvals/confirmation-outcome';
import { errorResponse, successResponse } from './call-response';

type Decide = (callId: string, outcome: ToolConfirmationOutcome, payload?: ToolConfirmationPayload) => Promise<void>;

/** The calls that the session makes, wherever they run, as its log has them (S2.R6). */
export class SessionCalls {
  private readonly calls = new Map<string, IToolCall>();

  constructor(
    private readonly toolOf: (name: string) => ITool | undefined,
    private readonly decide: Decide,
  ) {}

  /** Calls that have not ended, and those that have since the newest message was sent. */
  get all(): IToolCall[] {
    return [...this.calls.values()];
  }

  get open(): IToolCall[] {
    return this.all.filter(({ status }) => !ENDED.has(status));
  }

  /** A new message: what has ended before is not current any more. */
  forgetEnded(): void {
    for (const { request, status } of this.all) if (ENDED.has(status)) this.calls.delete(request.callId);
  }

  /** Follows a record of the log. Returns whether a call has changed. */
  follow(facts: RecordFacts, at: string): boolean {
    if (facts.kind !== 'approval' && facts.kind !== 'call' && facts.kind !== 'result') return false;
    const { callId, toolName: name } = facts;
    const known = this.calls.get(callId);
    const args = facts.kind === 'result' ? (known?.request.args ?? {}) : facts.args;
    const request: IToolCallRequestInfo = { callId, name, args, isClientInitiated: false, promptId: '' };
    const startTime = known?.startTime ?? Date.parse(at);
    this.calls.set(callId, { ...this.stateOf(facts, request), startTime });
    return true;
  }

  private stateOf(
    facts: Extract<RecordFacts, { kind: 'approval' | 'call' | 'result' }>,
    request: IToolCallRequestInfo,
  ): IToolCall {
    const tool = this.toolOf(request.name) ?? toolOfSession(request.name);
    if (facts.kind === 'call') return { status: ToolCallStatus.Executing, request, tool };
    if (facts.kind === 'approval') {
      const onConfirm = (outcome: ToolConfirmationOutcome, payload?: ToolConfirmationPayload): Promise<void> =>
        this.decide(request.callId, outcome, payload);
      return {
        status: ToolCallStatus.AwaitingApproval,
        request,
        tool,
        confirmationDetails: { ...facts.card, onConfirm },
      };
    }
    const { error, summary, text, durationMs, isUnrun } = facts;
    const status =
      error === undefined ? ToolCallStatus.Success : isUnrun ? ToolCallStatus.Cancelled : ToolCallStatus.Error;
    const response =
      error === undefined
        ? successResponse(request, { llmContent: text, returnDisplay: summary })
        : errorResponse(request, new Error(error));
    return { status, request, tool, response, durationMs };
  }
}

const ENDED: ReadonlySet<ToolCallStatus> = new Set([
  ToolCallStatus.Success,
  ToolCallStatus.Error,
  ToolCallStatus.Cancelled,
]);

/** A tool that the workers run: of this process it has the name alone. */
function toolOfSession(name: string): ITool {
  const description = `${name}, a tool that runs in the session`;
  return {
    name,
    description,
    schema: { name, description },
    isOutputMarkdown: false,
    canUpdateOutput: false,
    validateToolParams: () => null,
    getDescription: () => description,
    shouldConfirmExecute: async () => false,
    execute: async () => {
      throw new Error(`${name} runs in the session; this process can not run it.`);
    },
  };
}
