import type { ReplayMode } from '../../../contracts/recipes/replay-mode';
import type { SessionPlan } from '../../../contracts/sessions/start-request';

/** How this process handles recipes. */
export interface RecipePolicy {
  /** Of sessions that name no `config.replay` (SUREFOOT_REPLAY). */
  replay: Exclude<ReplayMode, 'only'>;
  /** Whether a person promotes what was learnt (SUREFOOT_RECIPES_PROMOTED_BY). */
  promotedBy: 'engine' | 'person';
}

export const DEFAULT_RECIPE_POLICY: RecipePolicy = { replay: 'prefer', promotedBy: 'engine' };

/** What a session does with recipes in a step. The rules cost no call: they lead by what the page shows unless its configuration says otherwise. */
export function replayModeOf(plan: SessionPlan | undefined, model: string, { replay }: RecipePolicy): ReplayMode {
  return plan?.config.replay ?? (model === 'rules' ? 'off' : replay);
}

/** Whether a session is learnt from; steps that are led by the rules alone are not even then, unless its configuration says so. */
export function isLearntFrom(plan: SessionPlan | undefined, { replay }: RecipePolicy): boolean {
  return (plan?.config.replay ?? replay) !== 'off';
}
