import type { ConfirmationCard } from '../../contracts/approvals/approval';
import type { ToolCallConfirmationDetails } from '../../contracts/tools/tool';
import type { BrowserPlan } from './browser-plan';
import { truncateMiddle } from './truncate-middle';

const LONGEST = 2000;

/** What a person is asked before a browser call that can't be taken back, or that reaches elsewhere. */
export function toBrowserCard(draft: BrowserPlan, pageUrl: string): ConfirmationCard | undefined {
  const { action, classification, summary: does, parameters } = draft;
  if (classification !== 'destructive' && classification !== 'external') return undefined;
  if (action === 'RUN_SCRIPT')
    return {
      type: 'exec',
      title: `${does}?`,
      command: truncateMiddle(parameters.script ?? '', LONGEST),
      rootCommand: 'javascript',
    };
  const urls = [pageUrl, draft.navigatesTo ?? parameters.url ?? ''].filter(
    (url) => url !== '' && url !== 'about:blank',
  );
  return {
    type: 'info',
    title: `${truncateMiddle(does, 300)}?`,
    prompt: `${truncateMiddle(does, LONGEST)} on ${pageUrl}.`,
    urls: [...new Set(urls)],
  };
}

/** The card of a tool's own, as it goes through logs, stores and wires: without its function, masked and then cut. */
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
