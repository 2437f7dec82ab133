import type { ModuleId } from '../modules/module-id';
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

interface AgentEventDefinition {
  type: string;
  /** An event of the chat layer: its `data` is the chat event, unchanged (S2.20). */
  isChat: boolean;
}

const agent = <const T extends string>(type: T) => ({ type, isChat: false });
const chat = <const T extends string>(type: T) => ({ type, isChat: true });

/** The events of S2.15, one definition each, in the order of the contract. */
const AGENT_EVENTS = {
  UserMessage: agent('user.message'),
  UserCancelled: agent('user.cancelled'),
  ResponseStart: chat('response.start'),
  ResponseChunkTextDelta: chat('response.chunk.text.delta'),
  ResponseChunkTextDone: chat('response.chunk.text.done'),
  ResponseChunkThinkingDelta: chat('response.chunk.thinking.delta'),
  ResponseChunkThinkingDone: chat('response.chunk.thinking.done'),
  ResponseChunkFunctionCallDelta: chat('response.chunk.function_call.delta'),
  ResponseChunkFunctionCallDone: chat('response.chunk.function_call.done'),
  ResponseComplete: chat('response.complete'),
  ResponseIncomplete: chat('response.incomplete'),
  ResponseFailed: chat('response.failed'),
  ToolExecutionStart: agent('tool.call.execution.start'),
  ToolExecutionDone: agent('tool.call.execution.done'),
  ToolConfirmation: agent('tool.confirmation'),
  TurnComplete: agent('turn.complete'),
  Error: agent('agent.error'),
  ModelFallback: agent('agent.model_fallback'),
} as const satisfies Record<string, AgentEventDefinition>;

type Definitions = typeof AGENT_EVENTS;

/** S2.15. */
export const AgentEventType = Object.fromEntries(
  Object.entries(AGENT_EVENTS).map(([name, { type }]) => [name, type]),
) as { readonly [Name in keyof Definitions]: Definitions[Name]['type'] };
export type AgentEventType = Definitions[keyof Definitions]['type'];

/** S1.R12 for the records that only S2 has an event for. */
export const AGENT_EVENT_OWNERS: readonly ModuleId[] = ['ai-integration', 'task-loop'];

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
  type: typeof AgentEventType.ToolExecutionStart;
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
  type: typeof AgentEventType.ToolExecutionDone;
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

const CHAT_TYPES = new Set<string>(
  Object.values(AGENT_EVENTS)
    .filter(({ isChat }) => isChat)
    .map(({ type }) => type),
);

/**
 * S2.20, S2.R4: the single place where chat events become agent events: the chat event, unchanged, is the `data`. Callers
 * leave out `response.chunk.added` and `.done`, which have no agent event; any other type that is not known keeps its name
 * in `metadata.originalType` and becomes an incomplete response, never a finished one (S2.A4). `timestamp` is given
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
    type: CHAT_TYPES.has(type) ? (type as AgentEventType) : AgentEventType.ResponseIncomplete,
    data: llmResponse,
    timestamp,
    metadata: { source: 'llm_response', originalType: type },
    sessionId,
    turn,
  };
}
