import { BrowserActionSchema } from '../commands/commands';
import { ToolConfirmationOutcome } from './confirmation-outcome';
import type { Approval, DecideApprovalRequest } from './approval';

/** What of a decision does not fit the call that it is about: a scope that its tool does not have, an edit of nothing. */
export function approvalIssues(
  { toolName, server }: Pick<Approval, 'toolName' | 'server'>,
  { outcome, args, newContent }: Omit<DecideApprovalRequest, 'approvalId'>,
): { path: string; message: string }[] {
  if (outcome === ToolConfirmationOutcome.ProceedAlwaysServer && server === undefined)
    return [{ path: 'outcome', message: `goes with tools of an MCP server only; ${toolName} is none` }];
  if (outcome === ToolConfirmationOutcome.ModifyWithEditor && BrowserActionSchema.safeParse(toolName).success)
    return [
      { path: 'outcome', message: `a command of a step is not edited: reject it, and give the step other words` },
    ];
  if (outcome === ToolConfirmationOutcome.ModifyWithEditor && args === undefined && newContent === undefined)
    return [{ path: 'args', message: `expected the changed arguments, or newContent` }];
  return [];
}
