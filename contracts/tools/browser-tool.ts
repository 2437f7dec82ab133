import { z } from 'zod';
import { ToolResultSchema, type ToolResult } from '../tasks/agent-loop';

/** S0.2 under the name that X.A1 gives it: what the browser side answers to one tool call. */
export const BrowserToolResultSchema = ToolResultSchema;
export type BrowserToolResult = ToolResult;

export const ToolInputSchema = z.record(z.string(), z.unknown());
export type ToolInput = z.infer<typeof ToolInputSchema>;

const WAIT_MS = 35_000;
const NAVIGATE_MS = 30_000;
const OTHER_MS = 15_000;

/** How long a tool may take once it was sent. */
export function toolTimeoutMs(tool: string, { action }: ToolInput): number {
  if (tool === 'wait' || (tool === 'computer' && action === 'wait')) return WAIT_MS;
  return tool === 'navigate' ? NAVIGATE_MS : OTHER_MS;
}

const ONLY_LOOKS = ['read_page', 'find', 'get_page_text'];
const ACTIONS_THAT_LOOK = ['screenshot', 'wait', 'zoom', 'scroll', 'scroll_to', 'hover'];

/**
 * Whether running it once more does no harm, so that it may be sent again when nobody knows whether it ran. A tool that
 * is not known here may not.
 */
export function mayRunAgain(tool: string, { action, url }: ToolInput): boolean {
  if (ONLY_LOOKS.includes(tool) || tool === 'form_input') return true;
  if (tool === 'navigate') return url !== 'back' && url !== 'forward';
  return tool === 'computer' && ACTIONS_THAT_LOOK.includes(String(action));
}
