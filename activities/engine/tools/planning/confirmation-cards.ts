import type { ConfirmationCard } from '../../../../contracts/approvals/approval';
import type { BrowserParameters } from '../../../../contracts/commands/commands';
import type { ToolCallConfirmationDetails } from '../../../../contracts/tools/tool';
import type { BrowserPlan } from './browser-plan';
import { truncateMiddle } from '../../../../rules/page-text/truncate-middle';

const LONGEST = 2000;

/** Renders the approval card of a browser call that can't be taken back, or that leaves the site. */
export function toBrowserCard(plan: BrowserPlan, pageUrl: string): ConfirmationCard | undefined {
  const { classification, summary, why } = plan;
  if (classification !== 'destructive' && classification !== 'external') return undefined;
  if (plan.action === 'RUN_SCRIPT')
    return {
      type: 'exec',
      title: why === undefined ? `${summary}?` : `${summary}? ${why}`,
      command: truncateMiddle(plan.parameters.script, LONGEST),
      rootCommand: 'javascript',
    };
  const { url = '' }: BrowserParameters = plan.parameters;
  const urls = [pageUrl, url].filter((each) => each !== '' && each !== 'about:blank');
  return {
    type: 'info',
    title: `${truncateMiddle(summary, 300)}?`,
    prompt: `${truncateMiddle(summary, LONGEST)} on ${pageUrl}.${why === undefined ? '' : ` ${truncateMiddle(why, LONGEST)}`}`,
    urls: [...new Set(urls)],
  };
}

/** Renders a tool's own details as data: without their function, redacted, and truncated after that. */
export function toConfirmationCard(
  details: ToolCallConfirmationDetails,
  redact: (text: string) => string,
): ConfirmationCard {
  const cut = (text: string, limit = LONGEST): string => truncateMiddle(redact(text), limit);
  const title = cut(details.title, 300);
  switch (details.type) {
    case 'edit':
      return { type: 'edit', title, fileName: details.fileName, fileDiff: cut(details.fileDiff) };
    case 'exec':
      return { type: 'exec', title, command: cut(details.command), rootCommand: details.rootCommand };
    case 'mcp': {
      const { serverName, toolName, toolDisplayName } = details;
      return { type: 'mcp', title, serverName, toolName, toolDisplayName };
    }
    case 'info':
      return {
        type: 'info',
        title,
        prompt: cut(details.prompt),
        ...(details.urls === undefined ? {} : { urls: details.urls }),
      };
  }
}
