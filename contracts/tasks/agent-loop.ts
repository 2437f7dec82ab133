/* oxlint-disable typescript/no-explicit-any -- the contract says any in these places */
import { z } from 'zod';

/** S0.2: what the browser side returns for one tool call; `screenshot.data` is base64. Not the ToolResult of S2 (X.A1). */
export const BrowserToolResultSchema = z.object({
  success: z.boolean(),
  output: z.any().optional(),
  error: z.string().optional(),
  screenshot: z.object({ data: z.string(), mediaType: z.string() }).optional(),
});
export type BrowserToolResult = z.infer<typeof BrowserToolResultSchema>;

/** S0.3: `step` counts model turns from 1 (S0.A3). */
export const StepUpdateSchema = z.object({
  step: z.number(),
  status: z.enum(['thinking', 'tool_use', 'tool_result', 'complete', 'error']),
  toolName: z.string().optional(),
  toolInput: z.record(z.string(), z.any()).optional(),
  text: z.string().optional(),
});
export type StepUpdate = z.infer<typeof StepUpdateSchema>;

/** S0.4: one model turn; each tool's `result` is cut at 5,000 characters (S0.A9). */
export const TurnLogSchema = z.object({
  step: z.number(),
  tools: z.array(
    z.object({
      name: z.string(),
      input: z.record(z.string(), z.any()),
      result: z.string(),
      durationMs: z.number(),
    }),
  ),
  ai_response: z.string().nullable(),
});
export type TurnLog = z.infer<typeof TurnLogSchema>;

/** S0.5: `usage` is summed over the run; `model` is that of the last call, absent when none succeeded (S0.A10). */
export const AgentLoopResultSchema = z.object({
  status: z.enum(['complete', 'error', 'max_steps']),
  answer: z.string(),
  steps: z.number(),
  usage: z.object({ inputTokens: z.number(), outputTokens: z.number(), apiCalls: z.number() }),
  model: z.string().optional(),
  turns: z.array(TurnLogSchema).optional(),
});
export type AgentLoopResult = z.infer<typeof AgentLoopResultSchema>;

/** S0.1.7. */
export const DEFAULT_MAX_STEPS = 50;

/** S0.1: `executeTool` runs one tool on the browser side; it makes no decisions (S0.R1). */
export interface AgentLoopParams {
  task: string;
  url?: string | undefined;
  context?: string | undefined;
  executeTool: (toolName: string, toolInput: Record<string, any>) => Promise<BrowserToolResult>;
  onStep?: ((step: StepUpdate) => void) | undefined;
  onText?: ((chunk: string) => void) | undefined;
  maxSteps?: number | undefined;
  signal?: AbortSignal | undefined;
}

/** S0.6: the type of the exported function, which stands in client/. */
export type RunAgentLoop = (params: AgentLoopParams) => Promise<AgentLoopResult>;

/** Sentences that S0's notes fix, or leave to a fixed text: S0.A1, A5, A5, A11. */
export const CANCELLED_ANSWER = 'Task was cancelled.';
export const COMPLETED_ANSWER = 'Task completed.';
export const MAX_STEPS_ANSWER = 'The task did not complete within the step limit.';
export function modelFailedAnswer(message: string): string {
  return `LLM call failed: ${message}`;
}

/** S0.A9. */
export const TURN_RESULT_LIMIT = 5000;
export function turnResultText(text: string, hasScreenshot: boolean): string {
  const cut = text.length > TURN_RESULT_LIMIT ? `${text.slice(0, TURN_RESULT_LIMIT)}... [truncated]` : text;
  return hasScreenshot ? `${cut} [+screenshot]` : cut;
}
