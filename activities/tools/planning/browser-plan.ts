import type { BrowserAction, ParametersOf } from '../../../contracts/commands/commands';
import type { ToolClassification } from '../../../contracts/events/execution-event';
import type { PageSnapshot } from '../../../contracts/browsers/page-snapshot';
import type { Target } from '../../../contracts/commands/planned-command';

/** What a call of a browser tool is planned on. */
export interface PlanContext {
  /** The newest snapshot of the page. */
  snapshot: PageSnapshot;
  /** The snapshot whose refs the model was shown; the newest where it was shown none. */
  shownSnapshot: PageSnapshot;
  /** Hosts that a person has named for this task: opening them does not count as leaving the site. */
  namedHosts: readonly string[];
}

/** What a person has to know of the command that a call comes to. */
interface PlanFacts {
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

/** The one browser command that a call comes to. */
export type BrowserPlan = {
  [A in BrowserAction]: PlanFacts & { action: A; parameters: ParametersOf<A> };
}[BrowserAction];
