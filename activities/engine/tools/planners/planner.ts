import type { BrowserToolArgs, BrowserToolName } from '../../../../contracts/tools/browser-tools';
import type { BrowserPlan, PlanContext } from '../planning/browser-plan';

/** Turns checked arguments of each browser tool into one command; throws Refusal. */
export type Planners = { [N in BrowserToolName]: (args: BrowserToolArgs<N>, context: PlanContext) => BrowserPlan };
