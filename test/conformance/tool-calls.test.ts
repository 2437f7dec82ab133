import {
  ToolCallStatus,
  type IAllToolCallsCompleteHandler,
  type IBaseToolCall,
  type ICancelledToolCall,
  type ICompletedToolCall,
  type IConfirmHandler,
  type IErroredToolCall,
  type IExecutingToolCall,
  type IOutputUpdateHandler,
  type IScheduledToolCall,
  type ISuccessfulToolCall,
  type IToolCall,
  type IToolCallRequestInfo,
  type IToolCallResponseInfo,
  type IToolCallsUpdateHandler,
  type IToolScheduler,
  type IToolSchedulerConfig,
  type IValidatingToolCall,
  type IWaitingToolCall,
  type ToolExecutionDoneCallback,
  type ToolExecutionStartCallback,
} from '../../contracts/tools/tool-call';
import type { FileDiff, ITool, ToolCallConfirmationDetails, ToolConfirmationPayload } from '../../contracts/tools/tool';
import type { ToolConfirmationOutcome } from '../../contracts/approvals/confirmation-outcome';
import { proveSame } from './prove';

/** An interface that extends another, with all of its members in one. */
type Flat<T> = { [K in keyof T]: T[K] };

test('[S2.21] IToolCallRequestInfo has the members of the contract', () => {
  expect(
    proveSame<
      IToolCallRequestInfo,
      {
        callId: string;
        functionId?: string | undefined;
        name: string;
        args: Record<string, unknown>;
        isClientInitiated: boolean;
        promptId: string;
      }
    >(true),
  ).toBe(true);
});

test('[S2.22] IToolCallResponseInfo has the members of the contract, its error an Error', () => {
  expect(
    proveSame<
      IToolCallResponseInfo,
      {
        callId: string;
        responseParts: unknown;
        resultDisplay?: string | FileDiff | undefined;
        error?: Error | undefined;
      }
    >(true),
  ).toBe(true);
});

test('[S2.23] ToolCallStatus has its seven members', () => {
  expect(ToolCallStatus).toEqual({
    Validating: 'validating',
    Scheduled: 'scheduled',
    Executing: 'executing',
    Success: 'success',
    Error: 'error',
    Cancelled: 'cancelled',
    AwaitingApproval: 'awaiting_approval',
  });
  expect(
    proveSame<
      `${ToolCallStatus}`,
      'validating' | 'scheduled' | 'executing' | 'success' | 'error' | 'cancelled' | 'awaiting_approval'
    >(true),
  ).toBe(true);
});

interface Base {
  request: IToolCallRequestInfo;
  startTime?: number | undefined;
  outcome?: ToolConfirmationOutcome | undefined;
}

test('[S2.24] IBaseToolCall has the members of the contract', () => {
  expect(proveSame<IBaseToolCall, Flat<Base & { status: ToolCallStatus }>>(true)).toBe(true);
});

test('[S2.25] IValidatingToolCall has its status and its tool', () => {
  expect(
    proveSame<Flat<IValidatingToolCall>, Flat<Base & { status: ToolCallStatus.Validating; tool: ITool }>>(true),
  ).toBe(true);
});

test('[S2.26] IScheduledToolCall has its status and its tool', () => {
  expect(
    proveSame<Flat<IScheduledToolCall>, Flat<Base & { status: ToolCallStatus.Scheduled; tool: ITool }>>(true),
  ).toBe(true);
});

test('[S2.27] IExecutingToolCall has its status, its tool and the output so far', () => {
  expect(
    proveSame<
      Flat<IExecutingToolCall>,
      Flat<Base & { status: ToolCallStatus.Executing; tool: ITool; liveOutput?: string | undefined }>
    >(true),
  ).toBe(true);
});

interface Ended {
  response: IToolCallResponseInfo;
  durationMs?: number | undefined;
}

test('[S2.28] ISuccessfulToolCall has its status, tool, response and duration', () => {
  expect(
    proveSame<Flat<ISuccessfulToolCall>, Flat<Base & Ended & { status: ToolCallStatus.Success; tool: ITool }>>(true),
  ).toBe(true);
});

test('[S2.29] IErroredToolCall has its status, response and duration, and no tool', () => {
  expect(proveSame<Flat<IErroredToolCall>, Flat<Base & Ended & { status: ToolCallStatus.Error }>>(true)).toBe(true);
});

test('[S2.30] ICancelledToolCall has its status, tool, response and duration', () => {
  expect(
    proveSame<Flat<ICancelledToolCall>, Flat<Base & Ended & { status: ToolCallStatus.Cancelled; tool: ITool }>>(true),
  ).toBe(true);
});

test('[S2.31] IWaitingToolCall has its status, its tool and what is asked', () => {
  expect(
    proveSame<
      Flat<IWaitingToolCall>,
      Flat<
        Base & {
          status: ToolCallStatus.AwaitingApproval;
          tool: ITool;
          confirmationDetails: ToolCallConfirmationDetails;
        }
      >
    >(true),
  ).toBe(true);
});

test('[S2.32] IToolCall is the union of the seven states', () => {
  expect(
    proveSame<
      IToolCall,
      | IValidatingToolCall
      | IScheduledToolCall
      | IExecutingToolCall
      | ISuccessfulToolCall
      | IErroredToolCall
      | ICancelledToolCall
      | IWaitingToolCall
    >(true),
  ).toBe(true);
  expect(proveSame<`${IToolCall['status']}`, `${ToolCallStatus}`>(true)).toBe(true);
});

test('[S2.33] ICompletedToolCall is the union of the three terminal states', () => {
  expect(proveSame<ICompletedToolCall, ISuccessfulToolCall | IErroredToolCall | ICancelledToolCall>(true)).toBe(true);
});

test('[S2.34] IConfirmHandler answers one waiting call', () => {
  expect(proveSame<IConfirmHandler, (toolCall: IWaitingToolCall) => Promise<ToolConfirmationOutcome>>(true)).toBe(true);
});

test('[S2.35] IOutputUpdateHandler takes the id of a call and a chunk of its output', () => {
  expect(proveSame<IOutputUpdateHandler, (toolCallId: string, outputChunk: string) => void>(true)).toBe(true);
});

test('[S2.36] IAllToolCallsCompleteHandler takes the calls that have ended', () => {
  expect(proveSame<IAllToolCallsCompleteHandler, (completedToolCalls: ICompletedToolCall[]) => void>(true)).toBe(true);
});

test('[S2.37] IToolCallsUpdateHandler takes the full list of calls', () => {
  expect(proveSame<IToolCallsUpdateHandler, (toolCalls: IToolCall[]) => void>(true)).toBe(true);
});

test('[S2.38] IToolSchedulerConfig has the members of the contract, all optional', () => {
  expect(
    proveSame<
      IToolSchedulerConfig,
      {
        tools?: ITool[] | undefined;
        outputUpdateHandler?: IOutputUpdateHandler | undefined;
        onAllToolCallsComplete?: IAllToolCallsCompleteHandler | undefined;
        onToolCallsUpdate?: IToolCallsUpdateHandler | undefined;
        approvalMode?: 'default' | 'yolo' | 'always' | undefined;
        getPreferredEditor?: (() => string | undefined) | undefined;
        config?: unknown;
      }
    >(true),
  ).toBe(true);
});

test('[S2.39] ToolExecutionStartCallback takes the request', () => {
  expect(proveSame<ToolExecutionStartCallback, (toolCall: IToolCallRequestInfo) => void>(true)).toBe(true);
});

test('[S2.40] ToolExecutionDoneCallback takes request, response and the duration', () => {
  expect(
    proveSame<
      ToolExecutionDoneCallback,
      (request: IToolCallRequestInfo, response: IToolCallResponseInfo, duration?: number) => void
    >(true),
  ).toBe(true);
});

test('[S2.41] IToolScheduler has the methods of the contract', () => {
  expect(
    proveSame<
      IToolScheduler,
      {
        schedule(
          request: IToolCallRequestInfo | IToolCallRequestInfo[],
          signal: AbortSignal,
          callbacks?: {
            onExecutionStart?: ToolExecutionStartCallback;
            onExecutionDone?: ToolExecutionDoneCallback;
          },
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
    >(true),
  ).toBe(true);
});
