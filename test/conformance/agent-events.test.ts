import {
  AgentEventType,
  createAgentEventFromLLMResponse,
  type AgentEvent,
  type ChatMessage,
  type LLMResponseAgentEvent,
  type ToolCallRequest,
  type ToolCallResponse,
  type ToolExecutionDoneEvent,
  type ToolExecutionStartEvent,
} from '../../contracts/agents/agent-event';
import type { ContentPart, LLMResponse } from '../../contracts/tasks/chat';
import { proveSame } from './prove';

test('[S2.12, S2.R22] ChatMessage has the members of the contract', () => {
  expect(
    proveSame<ChatMessage, { content: string | ContentPart[]; config?: Record<string, unknown> | undefined }>(true),
  ).toBe(true);
});

test('[S2.13] ToolCallRequest has the members of the contract', () => {
  expect(
    proveSame<
      ToolCallRequest,
      { callId: string; name: string; args: Record<string, unknown>; isClientInitiated: boolean; promptId: string }
    >(true),
  ).toBe(true);
});

test('[S2.14] ToolCallResponse has the members of the contract', () => {
  expect(
    proveSame<
      ToolCallResponse,
      { callId: string; content: ContentPart[]; display?: string | undefined; error?: string | undefined }
    >(true),
  ).toBe(true);
});

const TYPES = {
  UserMessage: 'user.message',
  UserCancelled: 'user.cancelled',
  ResponseStart: 'response.start',
  ResponseChunkTextDelta: 'response.chunk.text.delta',
  ResponseChunkTextDone: 'response.chunk.text.done',
  ResponseChunkThinkingDelta: 'response.chunk.thinking.delta',
  ResponseChunkThinkingDone: 'response.chunk.thinking.done',
  ResponseChunkFunctionCallDelta: 'response.chunk.function_call.delta',
  ResponseChunkFunctionCallDone: 'response.chunk.function_call.done',
  ResponseComplete: 'response.complete',
  ResponseIncomplete: 'response.incomplete',
  ResponseFailed: 'response.failed',
  ToolExecutionStart: 'tool.call.execution.start',
  ToolExecutionDone: 'tool.call.execution.done',
  ToolConfirmation: 'tool.confirmation',
  TurnComplete: 'turn.complete',
  Error: 'agent.error',
  ModelFallback: 'agent.model_fallback',
} as const;

test('[S2.15, S2.A19] AgentEventType has its 18 members, cancellation among those of the user', () => {
  expect(AgentEventType).toEqual(TYPES);
  expect(Object.keys(TYPES)).toHaveLength(18);
  expect(proveSame<`${AgentEventType}`, (typeof TYPES)[keyof typeof TYPES]>(true)).toBe(true);
  expect(Object.values(AgentEventType)).not.toContain('agent.cancelled');
});

test('[S2.16] AgentEvent has the members of the contract, its timestamp a number', () => {
  expect(
    proveSame<
      AgentEvent,
      { type: AgentEventType; data?: unknown; timestamp: number; metadata?: Record<string, unknown> | undefined }
    >(true),
  ).toBe(true);
});

type With<T, More> = { [K in keyof (T & More)]: (T & More)[K] };

test('[S2.17] LLMResponseAgentEvent adds session and turn to an agent event', () => {
  expect(
    proveSame<With<LLMResponseAgentEvent, unknown>, With<AgentEvent, { sessionId: string; turn: number }>>(true),
  ).toBe(true);
});

interface Base {
  timestamp: number;
  metadata?: Record<string, unknown> | undefined;
}

test('[S2.18] ToolExecutionStartEvent has the members of the contract', () => {
  expect(
    proveSame<
      With<ToolExecutionStartEvent, unknown>,
      With<
        Base,
        {
          type: typeof AgentEventType.ToolExecutionStart;
          data: { toolName: string; callId: string; args: Record<string, unknown>; sessionId: string; turn: number };
        }
      >
    >(true),
  ).toBe(true);
});

test('[S2.19] ToolExecutionDoneEvent has the members of the contract', () => {
  expect(
    proveSame<
      With<ToolExecutionDoneEvent, unknown>,
      With<
        Base,
        {
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
      >
    >(true),
  ).toBe(true);
});

test('[S2.20] createAgentEventFromLLMResponse turns chat event, session and turn into an agent event', () => {
  type Given = Parameters<typeof createAgentEventFromLLMResponse>;
  expect(
    proveSame<Given, [llmResponse: LLMResponse, sessionId: string, turn: number, timestamp?: number | undefined]>(true),
  ).toBe(true);
  expect(proveSame<ReturnType<typeof createAgentEventFromLLMResponse>, LLMResponseAgentEvent>(true)).toBe(true);
  // As a function of three arguments it can be called, and handed on.
  const plain: (llmResponse: LLMResponse, sessionId: string, turn: number) => LLMResponseAgentEvent =
    createAgentEventFromLLMResponse;
  const chat: LLMResponse = { id: 'r', type: 'response.start', model: 'm' };
  expect(plain(chat, 's', 2)).toMatchObject({ type: 'response.start', data: chat, sessionId: 's', turn: 2 });
});
