/* oxlint-disable typescript/no-explicit-any -- the contract says any in these places */
import { runAgentLoop } from '../../client/agent/agent-loop';
import {
  AgentLoopResultSchema,
  DEFAULT_MAX_STEPS,
  StepUpdateSchema,
  BrowserToolResultSchema,
  TurnLogSchema,
  type AgentLoopParams,
  type AgentLoopResult,
  type RunAgentLoop,
  type StepUpdate,
  type BrowserToolResult,
  type TurnLog,
} from '../../contracts/tasks/agent-loop';
import type { ToolResult as AgentToolResult } from '../../contracts/tools/tool';
import { faultsOf, proveSame, type Same } from './prove';

test('[S0.1] AgentLoopParams has the members of the contract, and maxSteps its default', () => {
  expect(
    proveSame<
      AgentLoopParams,
      {
        task: string;
        url?: string | undefined;
        context?: string | undefined;
        executeTool: (toolName: string, toolInput: Record<string, any>) => Promise<BrowserToolResult>;
        onStep?: ((step: StepUpdate) => void) | undefined;
        onText?: ((chunk: string) => void) | undefined;
        maxSteps?: number | undefined;
        signal?: AbortSignal | undefined;
      }
    >(true),
  ).toBe(true);
  expect(DEFAULT_MAX_STEPS).toBe(50);
});

test('[S0.2] ToolResult has the members of the contract', () => {
  expect(
    proveSame<
      BrowserToolResult,
      {
        success: boolean;
        output?: any;
        error?: string | undefined;
        screenshot?: { data: string; mediaType: string } | undefined;
      }
    >(true),
  ).toBe(true);
  const whole = { success: true, error: 'e', screenshot: { data: 'AA==', mediaType: 'image/png' } };
  expect(faultsOf(BrowserToolResultSchema, whole, ['error', 'screenshot'])).toEqual([]);
  for (const output of [undefined, null, 7, 'text', { a: [1] }])
    expect(BrowserToolResultSchema.parse({ success: true, output })).toEqual({ success: true, output });
});

test('[X.A1] the ToolResult of S0 and that of S2 are two types, each in the module of its own contract', () => {
  expect(proveSame<Same<BrowserToolResult, AgentToolResult>, false>(true)).toBe(true);
  expect(BrowserToolResultSchema.safeParse({ summary: 's', llmContent: 'l', returnDisplay: 'r' }).success).toBe(false);
});

test('[S0.3] StepUpdate has the members of the contract, its status exactly the five literals', () => {
  expect(
    proveSame<
      StepUpdate,
      {
        step: number;
        status: 'thinking' | 'tool_use' | 'tool_result' | 'complete' | 'error';
        toolName?: string | undefined;
        toolInput?: Record<string, any> | undefined;
        text?: string | undefined;
      }
    >(true),
  ).toBe(true);
  const { toolInput, ...whole } = { step: 1, status: 'tool_use', toolName: 't', toolInput: { a: 1 }, text: 'x' };
  expect(faultsOf(StepUpdateSchema, whole, ['toolName', 'text'])).toEqual([]);
  expect(StepUpdateSchema.parse({ ...whole, toolInput })).toEqual({ ...whole, toolInput });
  expect(StepUpdateSchema.safeParse({ ...whole, toolInput: 'a' }).success).toBe(false);
  expect(StepUpdateSchema.shape.status.options).toEqual(['thinking', 'tool_use', 'tool_result', 'complete', 'error']);
  expect(StepUpdateSchema.safeParse({ ...whole, status: 'done' }).success).toBe(false);
});

const aTurn = () => ({
  step: 1,
  tools: [{ name: 'click', input: {}, result: 'Clicked.', durationMs: 12 }],
  ai_response: 'I click.',
});

test('[S0.4] TurnLog has the members of the contract, in snake_case, with null for no text', () => {
  expect(
    proveSame<
      TurnLog,
      {
        step: number;
        tools: { name: string; input: Record<string, any>; result: string; durationMs: number }[];
        ai_response: string | null;
      }
    >(true),
  ).toBe(true);
  expect(faultsOf(TurnLogSchema, aTurn())).toEqual([]);
  expect(TurnLogSchema.safeParse({ ...aTurn(), ai_response: null }).success).toBe(true);
});

test('[S0.5] AgentLoopResult has the members of the contract, its status exactly the three literals', () => {
  expect(
    proveSame<
      AgentLoopResult,
      {
        status: 'complete' | 'error' | 'max_steps';
        answer: string;
        steps: number;
        usage: { inputTokens: number; outputTokens: number; apiCalls: number };
        model?: string | undefined;
        turns?: TurnLog[] | undefined;
      }
    >(true),
  ).toBe(true);
  const whole = {
    status: 'complete',
    answer: 'a',
    steps: 1,
    usage: { inputTokens: 1, outputTokens: 2, apiCalls: 3 },
    model: 'rules',
    turns: [aTurn()],
  };
  expect(faultsOf(AgentLoopResultSchema, whole, ['model', 'turns'])).toEqual([]);
  expect(AgentLoopResultSchema.shape.status.options).toEqual(['complete', 'error', 'max_steps']);
  expect(AgentLoopResultSchema.safeParse({ ...whole, status: 'cancelled' }).success).toBe(false);
});

test('[S0.6] runAgentLoop is exported, with the parameters and the result of the contract', () => {
  expect(proveSame<RunAgentLoop, (params: AgentLoopParams) => Promise<AgentLoopResult>>(true)).toBe(true);
  expect(proveSame<typeof runAgentLoop, (params: AgentLoopParams) => Promise<AgentLoopResult>>(true)).toBe(true);
  expect(runAgentLoop).toHaveLength(1);
});

test('[X.A6] names keep the spelling of their contract: S0 in camelCase with one in snake_case', () => {
  expect(Object.keys(TurnLogSchema.shape)).toEqual(['step', 'tools', 'ai_response']);
  expect(Object.keys(StepUpdateSchema.shape)).toEqual(['step', 'status', 'toolName', 'toolInput', 'text']);
});
