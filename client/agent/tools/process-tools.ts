import { ClientToolSchema, type ClientTool } from '../../../contracts/tasks/agent-config';
import type { BrowserToolResult } from '../../../contracts/tasks/agent-loop';
import type { ContentPart } from '../../../contracts/tasks/chat';
import type { DefinedTool } from '../../../contracts/tools/define-tool';
import type { IToolCallResponseInfo } from '../../../contracts/tools/tool-call';
import type { ITool } from '../../../contracts/tools/tool';
import type { AskedCalls } from './asked-calls';
import type { CallStateReporter } from './call-state-reporter';
import type { RunClientTool } from './client-calls';
import type { ToolScheduler } from './tool-scheduler';

const MAX_DESCRIPTION = 4000;

/**
 * Declares a tool of this process to a session. Throws where the declaration is invalid. A tool that only reads is
 * declared as such, as it may run again when this process dies. `asks`: the session asks what a tool wants a person to be
 * asked; else this process does.
 */
export function toToolDeclaration(
  { name, description, schema, facts }: ITool & Partial<DefinedTool>,
  asks: boolean,
): ClientTool {
  const declared = {
    name,
    description: (schema.description || description).slice(0, MAX_DESCRIPTION),
    ...(schema.parameters === undefined ? {} : { parameters: schema.parameters }),
    ...(facts?.classification === 'read' && facts.effect === 'pure' ? { classification: 'read' } : {}),
    ...(asks ? { asks } : {}),
  };
  const parsed = ClientToolSchema.safeParse(declared);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new Error(`The tool ${JSON.stringify(name)} can't be offered: ${issue?.path.join('.')}: ${issue?.message}.`);
}

/** Runs calls of a session by the scheduler of this process, which validates and confirms them and calls the callbacks. */
export function createToolRunner(
  scheduler: ToolScheduler,
  { callStates, asked }: { callStates?: CallStateReporter; asked?: AskedCalls } = {},
): RunClientTool {
  return async (call, signal) => {
    const { callId, name, args, sessionId: promptId } = call;
    let response: IToolCallResponseInfo | undefined;
    await scheduler.schedule({ callId, name, args, isClientInitiated: false, promptId }, signal, {
      clearance: call.clearance && { ...call.clearance, details: asked?.take(callId) },
      beforeConfirmation: async () => await callStates?.reportAsking(call, signal),
      beforeExecution: async () => await callStates?.reportRunning(call),
      onExecutionDone: (_request, done) => void (response = done),
    });
    callStates?.forget(call);
    return response === undefined ? { success: false, error: `${name} came to no end.` } : toToolResult(response);
  };
}

/** Converts S2's response to S0's result, which the session takes. */
function toToolResult({ responseParts, error }: IToolCallResponseInfo): BrowserToolResult {
  if (error !== undefined) return { success: false, error: error.message };
  const parts = responseParts as ContentPart[];
  const { output } = JSON.parse(parts[0]!.functionResponse!.result) as { output: string };
  const picture = parts.find(({ type, data }) => type === 'image' && data !== undefined);
  return {
    success: true,
    output,
    ...(picture === undefined
      ? {}
      : { screenshot: { data: picture.data!, mediaType: picture.mimeType ?? 'image/png' } }),
  };
}
