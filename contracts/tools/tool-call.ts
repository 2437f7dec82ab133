import type { ApprovalMode } from '../approvals/approval-mode';
import type { FileDiff, ITool, ToolCallConfirmationDetails, ToolConfirmationPayload } from './tool';
import type { ToolConfirmationOutcome } from '../approvals/confirmation-outcome';

/** S2.21: `callId` begins with `call_`, `functionId`, the provider's own, with `fc_`. */
export interface IToolCallRequestInfo {
  callId: string;
  functionId?: string | undefined;
  name: string;
  args: Record<string, unknown>;
  isClientInitiated: boolean;
  promptId: string;
}

/** S2.22: `responseParts` are provider-neutral content parts (S2.A15). */
export interface IToolCallResponseInfo {
  callId: string;
  responseParts: unknown;
  resultDisplay?: string | FileDiff | undefined;
  error?: Error | undefined;
}

/** S2.23, in the order of S2.R6: the last three are terminal. */
export enum ToolCallStatus {
  Validating = 'validating',
  Scheduled = 'scheduled',
  Executing = 'executing',
  Success = 'success',
  Error = 'error',
  Cancelled = 'cancelled',
  AwaitingApproval = 'awaiting_approval',
}

/** S2.24: `startTime` in epoch milliseconds. */
export interface IBaseToolCall {
  status: ToolCallStatus;
  request: IToolCallRequestInfo;
  startTime?: number | undefined;
  outcome?: ToolConfirmationOutcome | undefined;
}

/** S2.25. */
export interface IValidatingToolCall extends IBaseToolCall {
  status: ToolCallStatus.Validating;
  tool: ITool;
}

/** S2.26. */
export interface IScheduledToolCall extends IBaseToolCall {
  status: ToolCallStatus.Scheduled;
  tool: ITool;
}

/** S2.27: `liveOutput` is what has come so far. */
export interface IExecutingToolCall extends IBaseToolCall {
  status: ToolCallStatus.Executing;
  tool: ITool;
  liveOutput?: string | undefined;
}

/** S2.28. */
export interface ISuccessfulToolCall extends IBaseToolCall {
  status: ToolCallStatus.Success;
  tool: ITool;
  response: IToolCallResponseInfo;
  durationMs?: number | undefined;
}

/** S2.29: the tool may be unknown. */
export interface IErroredToolCall extends IBaseToolCall {
  status: ToolCallStatus.Error;
  response: IToolCallResponseInfo;
  durationMs?: number | undefined;
}

/** S2.30. */
export interface ICancelledToolCall extends IBaseToolCall {
  status: ToolCallStatus.Cancelled;
  tool: ITool;
  response: IToolCallResponseInfo;
  durationMs?: number | undefined;
}

/** S2.31. */
export interface IWaitingToolCall extends IBaseToolCall {
  status: ToolCallStatus.AwaitingApproval;
  tool: ITool;
  confirmationDetails: ToolCallConfirmationDetails;
}

/** S2.32. */
export type IToolCall =
  | IValidatingToolCall
  | IScheduledToolCall
  | IExecutingToolCall
  | ISuccessfulToolCall
  | IErroredToolCall
  | ICancelledToolCall
  | IWaitingToolCall;

/** S2.33. */
export type ICompletedToolCall = ISuccessfulToolCall | IErroredToolCall | ICancelledToolCall;

/** S2.34: answers one waiting call. */
export type IConfirmHandler = (toolCall: IWaitingToolCall) => Promise<ToolConfirmationOutcome>;

/** S2.35. */
export type IOutputUpdateHandler = (toolCallId: string, outputChunk: string) => void;

/** S2.36: when all calls are terminal. */
export type IAllToolCallsCompleteHandler = (completedToolCalls: ICompletedToolCall[]) => void;

/** S2.37: on any change of state, with the full list. */
export type IToolCallsUpdateHandler = (toolCalls: IToolCall[]) => void;

/** S2.38. */
export interface IToolSchedulerConfig {
  tools?: ITool[] | undefined;
  outputUpdateHandler?: IOutputUpdateHandler | undefined;
  onAllToolCallsComplete?: IAllToolCallsCompleteHandler | undefined;
  onToolCallsUpdate?: IToolCallsUpdateHandler | undefined;
  approvalMode?: ApprovalMode | undefined;
  getPreferredEditor?: (() => string | undefined) | undefined;
  config?: unknown;
}

/** S2.39. */
export type ToolExecutionStartCallback = (toolCall: IToolCallRequestInfo) => void;

/** S2.40: `duration` in milliseconds. */
export type ToolExecutionDoneCallback = (
  request: IToolCallRequestInfo,
  response: IToolCallResponseInfo,
  duration?: number,
) => void;

/** S2.41: `schedule` resolves when all of its calls are terminal. */
export interface IToolScheduler {
  schedule(
    request: IToolCallRequestInfo | IToolCallRequestInfo[],
    signal: AbortSignal,
    callbacks?: { onExecutionStart?: ToolExecutionStartCallback; onExecutionDone?: ToolExecutionDoneCallback },
  ): Promise<void>;
  handleConfirmationResponse(
    callId: string,
    outcome: ToolConfirmationOutcome,
    payload?: ToolConfirmationPayload,
  ): Promise<void>;
  registerTool(tool: ITool): void;
  removeTool(toolName: string): boolean;
  getTool(name: string): ITool | undefined;
  getToolList(): ITool[];
  getCurrentToolCalls(): IToolCall[];
  isRunning(): boolean;
  cancelAll(reason: string): void;
}
