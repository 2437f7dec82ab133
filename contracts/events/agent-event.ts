import type { ContentPart, LLMResponse } from '../tasks/chat';

/** S2.12. */
export interface ChatMessage {
  content: string | ContentPart[];
  config?: Record<string, unknown> | undefined;
}

/** S2.13: for transport; the scheduler takes IToolCallRequestInfo (S2.A6). */
export interface ToolCallRequest {
  callId: string;
  name: string;
  args: Record<string, unknown>;
  isClientInitiated: boolean;
  promptId: string;
}

/** S2.14: for transport; the scheduler gives IToolCallResponseInfo (S2.A6). */
export interface ToolCallResponse {
  callId: string;
  content: ContentPart[];
  display?: string | undefined;
  error?: string | undefined;
}

/** S2.15. */
export enum AgentEventType {
  UserMessage = 'user.message',
  UserCancelled = 'user.cancelled',
  ResponseStart = 'response.start',
  ResponseChunkTextDelta = 'response.chunk.text.delta',
  ResponseChunkTextDone = 'response.chunk.text.done',
  ResponseChunkThinkingDelta = 'response.chunk.thinking.delta',
  ResponseChunkThinkingDone = 'response.chunk.thinking.done',
  ResponseChunkFunctionCallDelta = 'response.chunk.function_call.delta',
  ResponseChunkFunctionCallDone = 'response.chunk.function_call.done',
  ResponseComplete = 'response.complete',
  ResponseIncomplete = 'response.incomplete',
  ResponseFailed = 'response.failed',
  ToolExecutionStart = 'tool.call.execution.start',
  ToolExecutionDone = 'tool.call.execution.done',
  ToolConfirmation = 'tool.confirmation',
  TurnComplete = 'turn.complete',
  Error = 'agent.error',
  ModelFallback = 'agent.model_fallback',
}

/** S2.16: `timestamp` in epoch milliseconds (X.A4). */
export interface AgentEvent {
  type: AgentEventType;
  data?: unknown;
  timestamp: number;
  metadata?: Record<string, unknown> | undefined;
}

/** S2.17. */
export interface LLMResponseAgentEvent extends AgentEvent {
  sessionId: string;
  turn: number;
}

/** S2.18. */
export interface ToolExecutionStartEvent extends AgentEvent {
  type: AgentEventType.ToolExecutionStart;
  data: {
    toolName: string;
    callId: string;
    args: Record<string, unknown>;
    sessionId: string;
    turn: number;
  };
}

/** S2.19: `duration` in milliseconds. */
export interface ToolExecutionDoneEvent extends AgentEvent {
  type: AgentEventType.ToolExecutionDone;
  data: {
    toolName: string;
    callId: string;
    result?: unknown;
    error?: string | undefined;
    duration?: number | undefined;
    sessionId: string;
    turn: number;
  };
}

const TYPES = new Set<string>(Object.values(AgentEventType));

/**
 * S2.20, S2.R4: the single place where chat events become agent events: the chat event, unchanged, is the `data`. Callers
 * leave out `response.chunk.added` and `.done`, which have no agent event; any other type that is not known keeps its name
 * in `metadata.originalType` and is told as an incomplete response, never as a finished one (S2.A4). `timestamp` is given
 * where the event is older than this call.
 */
export function createAgentEventFromLLMResponse(
  llmResponse: LLMResponse,
  sessionId: string,
  turn: number,
  timestamp: number = Date.now(),
): LLMResponseAgentEvent {
  const { type } = llmResponse;
  return {
    type: TYPES.has(type) ? (type as string as AgentEventType) : AgentEventType.ResponseIncomplete,
    data: llmResponse,
    timestamp,
    metadata: { source: 'llm_response', originalType: type },
    sessionId,
    turn,
  };
}
