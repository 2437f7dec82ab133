import type { ILogger } from '../../../contracts/tasks/chat';
import type { IToolCallRequestInfo } from '../../../contracts/tools/tool-call';
import type { ITool, ToolResult } from '../../../contracts/tools/tool';
import { successResponse } from './call-response';
import type { ScheduledCall } from './scheduled-call';

/** S2.A18. */
export interface Retries {
  /** Tries beside the first. */
  max: number;
  /** Whether this call may take effect twice: what sends, buys or deletes may not. */
  isRepeatable(tool: ITool, request: IToolCallRequestInfo): boolean;
}

/** Runs an executing call to its end; only what says of itself that it will pass is tried again. */
export async function runCall(
  call: ScheduledCall,
  updateOutput: (chunk: string) => void,
  retries: Retries | undefined,
  logger: ILogger,
): Promise<void> {
  const tool = call.tool!;
  const { request, signal } = call;
  const tries = retries !== undefined && retries.max > 0 && retries.isRepeatable(tool, request) ? retries.max : 0;
  for (let tried = 0; ; tried += 1) {
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
      if (tried < tries && isTransient(failure)) {
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
