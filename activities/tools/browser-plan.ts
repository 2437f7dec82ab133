import type { BrowserAction, BrowserParameters } from '../../contracts/commands/commands';
import type { ToolClassification } from '../../contracts/events/execution-event';
import type { PageSnapshot } from '../../contracts/browsers/page-snapshot';
import type { PlannedCall } from '../../contracts/tools/planned-call';
import type { Target } from '../../contracts/commands/planned-command';

/** What a call of a browser tool is planned on. */
export interface PlanContext {
  /** The newest look at the page. */
  snapshot: PageSnapshot;
  /** The one whose refs the model was shown; the newest where it was shown none. */
  shownSnapshot: PageSnapshot;
  /** Hosts that a person has named for this task: going there leaves nothing. */
  namedHosts: readonly string[];
}

/** One browser command that a call comes to, and what a person has to know of it. */
export interface BrowserPlan {
  action: BrowserAction;
  parameters: BrowserParameters;
  target?: Target | undefined;
  classification: ToolClassification;
  /** What it would do, as a sentence without its full stop. */
  summary: string;
  navigatesTo?: string | undefined;
  /** Where a click leads to when that is another site: what a person says yes to. */
  leadsTo?: string | undefined;
  /** What “always” is remembered for, where the tool's name alone would cover too much. */
  approvalScope?: string | undefined;
}

/** What a call is, apart from its name and arguments. */
export type CallFacts = Pick<
  PlannedCall,
  'classification' | 'effect' | 'card' | 'requiresApproval' | 'run' | 'navigatesTo' | 'pageUrl' | 'actionDigest'
> & {
  /** Of the page and the element: what beside the arguments makes it this call. */
  identity: string;
  server?: string | undefined;
  approvalScope?: string | undefined;
};

/** The call is not run; its message is what the model is told. */
export class Refusal extends Error {}
