import type { Approval, DecideApprovalRequest } from '../../contracts/approvals/approval';
import { inputIssues, type Issue } from '../../contracts/errors/issues';
import { BROWSER_TOOLS, isBrowserTool } from '../../contracts/tools/browser-tools';
import { argumentIssues } from '../../runtime/schemas/arguments';
import type { Store } from '../../store/store';

/** What of a person's arguments does not fit the tool that they are for. The worker that runs the tool checks them again. */
export async function editIssues(
  store: Store,
  { sessionId, callId, toolName }: Approval,
  { args, newContent }: Pick<DecideApprovalRequest, 'args' | 'newContent'>,
): Promise<Issue[]> {
  if (args === undefined && newContent === undefined) return [];
  const call = await store.toolCalls.get(sessionId, callId);
  const edited = args ?? { ...call?.args, content: newContent };
  const issues = isBrowserTool(toolName)
    ? inputIssues(BROWSER_TOOLS[toolName].parameters, edited)
    : call?.parameters === undefined
      ? []
      : await argumentIssues(call.parameters, edited);
  return issues.map(({ path, message }) => ({ path: `args.${path}`.replace(/\.$/, ''), message }));
}
