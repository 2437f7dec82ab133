import { inputIssues } from '../errors/issues';
import { BROWSER_TOOLS, isBrowserTool } from '../tools/browser-tools';
import { ToolConfirmationOutcome } from '../tools/tool';
import type { Approval, DecideApprovalRequest } from './approval';

/** What of a decision does not fit the call that it is about: edits of unknown fields, a scope that its tool does not have. */
export function approvalIssues(
  { toolName, server }: Pick<Approval, 'toolName' | 'server'>,
  { outcome, args, newContent }: DecideApprovalRequest,
): { path: string; message: string }[] {
  if (outcome === ToolConfirmationOutcome.ProceedAlwaysServer && server === undefined)
    return [{ path: 'outcome', message: `goes with tools of an MCP server only; ${toolName} is none` }];
  if (outcome !== ToolConfirmationOutcome.ModifyWithEditor) return [];
  if (args === undefined && newContent === undefined)
    return [{ path: 'args', message: `expected the changed arguments, or newContent` }];
  if (args === undefined || !isBrowserTool(toolName)) return [];
  return inputIssues(BROWSER_TOOLS[toolName].parameters, args).map(({ path, message }) => ({
    path: `args.${path}`.replace(/\.$/, ''),
    message,
  }));
}
