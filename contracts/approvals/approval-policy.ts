import type { ConfirmationCard } from './approval';
import type { RememberedApproval } from './remembered-approval';
import type { ToolClassification } from '../commands/tool-classification';
import type { ApprovalMode } from './approval-mode';
import { ToolConfirmationOutcome } from './confirmation-outcome';

const { ProceedOnce, ProceedAlways, ProceedAlwaysServer, ProceedAlwaysTool, ModifyWithEditor, Cancel } =
  ToolConfirmationOutcome;

/** How the summary of a call begins that a person has rejected. */
export const REJECTED = 'rejected by user';

/** What a model gets of it, and after it the reason. */
export const REJECTED_TEXT = 'the user rejected this call, and it was not done.';

/** The properties of a call that approvals depend on. */
export interface ApprovalFacts {
  tool: string;
  server?: string | undefined;
  rootCommand?: string | undefined;
  classification: ToolClassification;
  /** What it would do, as a sentence without its full stop. */
  summary?: string | undefined;
  pageUrl?: string | undefined;
}

export type ApprovalNeed = { kind: 'none' } | { kind: 'ask'; card: ConfirmationCard };

/**
 * S2.A1, for the calls of tasks: `default` asks where there is a card (confirmation-cards.ts has one for what is destructive
 * or external), `always` for each call. A remembered approval takes precedence over the mode. Steps ask by
 * plan-step-command.ts, and only where the session or the operator names a mode.
 */
export function approvalNeed(
  mode: ApprovalMode,
  call: ApprovalFacts,
  card: ConfirmationCard | undefined,
  remembered: readonly RememberedApproval[],
): ApprovalNeed {
  if (mode === 'yolo' || remembered.some((each) => covers(each, call))) return { kind: 'none' };
  if (card !== undefined) return { kind: 'ask', card };
  if (mode === 'default') return { kind: 'none' };
  return { kind: 'ask', card: infoCard(call, 'Every call waits for an answer in this session.') };
}

/** A card for a call whose tool has none. */
export function infoCard(
  { tool, summary, pageUrl }: Pick<ApprovalFacts, 'tool' | 'summary' | 'pageUrl'>,
  why: string,
): ConfirmationCard {
  const what = summary === undefined || summary === '' ? `Run ${tool}` : summary;
  const place = pageUrl === undefined || pageUrl === 'about:blank' ? '' : ` on ${pageUrl}`;
  return {
    type: 'info',
    title: `${what}?`,
    prompt: `${what}${place} (${tool}). ${why}`,
    ...(place === '' ? {} : { urls: [pageUrl!] }),
  };
}

/** Whether a remembered approval covers a call: one of the same tool and of the same classification. */
export function covers(kept: RememberedApproval, call: ApprovalFacts): boolean {
  if (kept.kind === 'server') return kept.server === call.server;
  if (kept.tool !== call.tool || kept.classification !== call.classification) return false;
  return kept.kind === 'command' ? kept.rootCommand === call.rootCommand : kept.server === call.server;
}

/** The approval to remember of an answer; undefined for an answer to one call. A tool without a server is remembered by name. */
export function rememberedApprovalOf(
  outcome: ToolConfirmationOutcome,
  call: ApprovalFacts,
): RememberedApproval | undefined {
  const { tool, server, rootCommand, classification } = call;
  switch (outcome) {
    case ProceedOnce:
    case ModifyWithEditor:
    case Cancel:
      return undefined;
    case ProceedAlwaysServer:
      if (server !== undefined) return { kind: 'server', server };
      break;
    case ProceedAlways:
      if (rootCommand !== undefined) return { kind: 'command', tool, rootCommand, classification };
      break;
    case ProceedAlwaysTool:
  }
  return { kind: 'tool', tool, ...(server === undefined ? {} : { server }), classification };
}
