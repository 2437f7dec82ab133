import type { ConfirmationCard } from '../../contracts/approval';
import type { ToolCallConfirmationDetails } from '../../contracts/tools';
import type { BrowserDraft } from './draft';

const LONGEST = 2000;

/** What a person is asked before a browser call that can't be taken back, or that reaches elsewhere. */
export function browserCard(draft: BrowserDraft, pageUrl: string): ConfirmationCard | undefined {
  const { action, classification, does, parameters } = draft;
  if (classification !== 'destructive' && classification !== 'external') return undefined;
  if (action === 'RUN_SCRIPT')
    return { type: 'exec', title: `${does}?`, command: cut(parameters.script ?? ''), rootCommand: 'javascript' };
  const urls = [pageUrl, draft.navigatesTo ?? parameters.url ?? ''].filter(
    (url) => url !== '' && url !== 'about:blank',
  );
  return { type: 'info', title: `${cut(does, 300)}?`, prompt: `${cut(does)} on ${pageUrl}.`, urls: [...new Set(urls)] };
}

/** The card of a tool's own, as it goes through logs, stores and wires: without its function. */
export function cardOf(details: ToolCallConfirmationDetails): ConfirmationCard {
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

function cut(text: string, limit = LONGEST): string {
  return text.length > limit ? `${text.slice(0, limit)}…` : text;
}
