import { z } from 'zod';
import { ToolResultSchema, type ToolResult } from '../tasks/agent-loop';

/** S0.2 under the name that X.A1 gives it: what the browser side answers to one tool call. */
export const BrowserToolResultSchema = ToolResultSchema;
export type BrowserToolResult = ToolResult;

export const ToolInputSchema = z.record(z.string(), z.unknown());
export type ToolInput = z.infer<typeof ToolInputSchema>;
