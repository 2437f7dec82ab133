import type { ILogger } from '../../../contracts/tasks/chat';
import type { IToolCallRequestInfo } from '../../../contracts/tools/tool-call';
import type { ITool, ToolResult } from '../../../contracts/tools/tool';
import { successResponse } from './call-response';
import type { ScheduledCall } from './scheduled-call';

/** Retries of failed calls (S2.A18). */
export interface Retries {
  /** Attempts after the first. */
  max: number;
  /** Returns true if the call may take effect twice; a call that sends, buys or deletes may not. */
  isRepeatable(tool: ITool, request: IToolCallRequestInfo): boolean;
}

/** Runs a call to its end. Retries only errors that are marked `retryable` or `transient`. */
export async function runToolCall(
  call: ScheduledCall,
  updateOutput: (chunk: string) => void,
  retries: Retries | undefined,
  logger: ILogger,
): Promise<void> {
  const tool = call.tool!;
  const { request, signal } = call;
  const retryLimit = retries !== undefined && retries.max > 0 && retries.isRepeatable(tool, request) ? retries.max : 0;
  for (let attempt = 0; ; attempt += 1) {
    try {
      const result: unknown = tool.canUpdateOutput
        ? await tool.execute(request.args, signal, updateOutput)
        : await tool.execute(request.args, signal);
      if (!isToolResult(result))
        throw new Error(
          `Expected ${tool.name} to give a result with llmContent and returnDisplay, got ${kindOf(result)}.`,
        );
      call.succeed(successResponse(request, result));
      return;
    } catch (error) {
      const failure = error instanceof Error ? error : new Error(String(error));
      if (call.isEnded) return;
      if (attempt < retryLimit && isTransient(failure)) {
        logger.warn(`${tool.name} failed and is tried again: ${failure.message}`, { callId: request.callId });
        continue;
      }
      call.fail(failure);
      return;
    }
  }
}

function isTransient(error: Error): boolean {
  const { retryable, transient } = error as { retryable?: unknown; transient?: unknown };
  return retryable === true || transient === true;
}

function isToolResult(value: unknown): value is ToolResult {
  if (typeof value !== 'object' || value === null) return false;
  const { llmContent } = value as Partial<ToolResult>;
  return typeof llmContent === 'string' || Array.isArray(llmContent);
}

function kindOf(value: unknown): string {
  return typeof value === 'object' && value !== null
    ? `an object with ${Object.keys(value).join(', ')}`
    : String(value);
}
