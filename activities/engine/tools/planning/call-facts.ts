import type { AgentConfig } from '../../../../contracts/tasks/agent-config';
import type { PlannedCall } from '../../../../contracts/tools/planned-call';
import type { SessionValues } from '../../../secrets/session-values';
import type { PlanContext } from './browser-plan';
import type { EngineTools } from '../engine-tools';

/** What the calls of one turn are planned with. */
export interface CallPlanContext {
  page: PlanContext;
  values: SessionValues;
  agent: AgentConfig;
  engineTools: EngineTools;
  /** The last text that a remote browser has returned: refs are looked up in it. */
  shownText: string;
}

export interface CallToPlan {
  callId: string;
  functionId?: string | undefined;
  name: string;
  commandId: string;
  args: Record<string, unknown>;
  isAskedAgain?: true | undefined;
}

/** What planning finds out about a call, beside its name and arguments. */
export type PlannedFacts = Pick<
  PlannedCall,
  | 'classification'
  | 'effect'
  | 'card'
  | 'summary'
  | 'view'
  | 'requiresApproval'
  | 'run'
  | 'navigatesTo'
  | 'pageUrl'
  | 'actionDigest'
> & {
  /** Page and element: an approval is bound to them as well as to the arguments. */
  identity: string;
  /** In place of the arguments: those that an approval is bound to. */
  boundArgs?: Record<string, unknown> | undefined;
  server?: string | undefined;
  /** What “always” is remembered for, where the tool's name alone would cover too much. */
  approvalScope?: string | undefined;
};
