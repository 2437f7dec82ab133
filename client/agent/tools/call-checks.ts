import type { ApprovalFacts } from '../../../contracts/approvals/approval-policy';
import type { ToolCallConfirmationDetails } from '../../../contracts/tools/tool';
import type { ScheduledCall } from './scheduled-call';
import { errorMessage } from '../../../contracts/errors/error-message';

export function abortReason({ reason }: AbortSignal): string {
  return reason instanceof Error && reason.name !== 'AbortError' ? reason.message : 'Cancelled before it was done.';
}

/** Validates the arguments (S2.A7), which a model may have written as anything. Returns the error, if there is one. */
export function validateArguments({ tool, request: { name, args } }: ScheduledCall): Error | undefined {
  const invalid = (problem: string): Error => new Error(`Parameter validation failed for ${name}: ${problem}`);
  if (typeof args !== 'object' || args === null || Array.isArray(args))
    return invalid(`expected an object of arguments, got ${JSON.stringify(args)}`);
  try {
    const problem = tool!.validateToolParams(args);
    return problem === null ? undefined : invalid(problem);
  } catch (error) {
    return invalid(errorMessage(error));
  }
}

/** Describes a call for remembered approvals (S2.A2). Tools of this process count as writing. */
export function toCallFacts(
  { request }: ScheduledCall,
  details: ToolCallConfirmationDetails | undefined,
): ApprovalFacts {
  return {
    tool: request.name,
    ...(details?.type === 'mcp' ? { server: details.serverName } : {}),
    ...(details?.type === 'exec' ? { rootCommand: details.rootCommand } : {}),
    classification: 'write',
  };
}
