import { ClientToolSchema, type ClientTool } from '../../../contracts/tasks/agent-config';
import type { ToolResult } from '../../../contracts/tasks/agent-loop';
import type { ContentPart } from '../../../contracts/tasks/chat';
import type { DefinedTool } from '../../../contracts/tools/define-tool';
import type { IToolCallResponseInfo } from '../../../contracts/tools/tool-call';
import type { ITool } from '../../../contracts/tools/tool';
import type { CallStateReporter } from './call-state-reporter';
import type { RunClientTool } from './client-calls';
import type { ToolScheduler } from './tool-scheduler';

const MAX_DESCRIPTION = 4000;

/**
 * A tool of this process as the session offers it to its model. Throws where the session could not take it. What only
 * reads may run again when this process dies; anything else asks here by itself, so the session need not know its class.
 */
export function toToolDeclaration({ name, description, schema, facts }: ITool & Partial<DefinedTool>): ClientTool {
  const declared = {
    name,
    description: (schema.description || description).slice(0, MAX_DESCRIPTION),
    ...(schema.parameters === undefined ? {} : { parameters: schema.parameters }),
    ...(facts?.classification === 'read' && facts.effect === 'pure' ? { classification: 'read' } : {}),
  };
  const parsed = ClientToolSchema.safeParse(declared);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new Error(`The tool ${JSON.stringify(name)} can't be offered: ${issue?.path.join('.')}: ${issue?.message}.`);
}

/** Runs what a session calls through the scheduler of this process, so that it is validated, confirmed and told there. */
export function createToolRunner(scheduler: ToolScheduler, notes?: CallStateReporter): RunClientTool {
  return async (call, signal) => {
    const { callId, name, args, sessionId: promptId } = call;
    let response: IToolCallResponseInfo | undefined;
    await scheduler.schedule({ callId, name, args, isClientInitiated: false, promptId }, signal, {
      beforeConfirmation: async () => await notes?.reportAsking(call, signal),
      beforeExecution: async () => await notes?.reportRunning(call),
      onExecutionDone: (_request, done) => void (response = done),
    });
    notes?.forget(call);
    return response === undefined ? { success: false, error: `${name} came to no end.` } : toToolResult(response);
  };
}

/** S2's response as S0's result, which is what a session takes from a process. */
function toToolResult({ responseParts, error }: IToolCallResponseInfo): ToolResult {
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
