import type { BrowserAction, ParametersOf } from '../../../../contracts/commands/commands';
import type { ObservedRequest } from '../../../../contracts/commands/evidence';
import type { ToolClassification } from '../../../../contracts/commands/tool-classification';
import type { PageSnapshot } from '../../../../contracts/browsers/page-snapshot';
import type { PressFacts } from '../../../deeds/presses';
import type { Target } from '../../../../contracts/commands/planned-command';

/** What a call of a browser tool is planned on. */
export interface PlanContext {
  /** The newest snapshot of the page. */
  snapshot: PageSnapshot;
  /** The snapshot whose refs the model was shown; the newest where it was shown none. */
  shownSnapshot: PageSnapshot;
  /** Hosts that a person has named for this task: opening them does not count as leaving the site. */
  namedHosts: readonly string[];
  /** Requests that may have changed something, which using the same control sent before. */
  sentBefore?: PressFacts['sentBefore'];
  /** The request whose answer the page is, where a reload that sends it again may change something. */
  requestOfPage?: ObservedRequest | undefined;
}

/** The facts of a planned command that a person decides on. */
interface PlanFacts {
  target?: Target | undefined;
  /** Where a drag ends. */
  toTarget?: Target | undefined;
  classification: ToolClassification;
  /** What it would do, as a sentence without its full stop. */
  summary: string;
  /** Why a person is asked, as sentences. */
  why?: string | undefined;
  navigatesTo?: string | undefined;
  /** The other site that a click leads to; an approval covers it. */
  leadsTo?: string | undefined;
  /** What “always” is remembered for, where the tool's name alone would cover too much. */
  approvalScope?: string | undefined;
}

/** The one browser command that a call is planned into. */
export type BrowserPlan = {
  [A in BrowserAction]: PlanFacts & { action: A; parameters: ParametersOf<A> };
}[BrowserAction];
