import type { ReplayMode } from '../../../contracts/recipes/replay-mode';
import type { RecipeKey } from '../../../contracts/recipes/recipe';
import type { SessionPlan } from '../../../contracts/sessions/start-request';
import type { Step } from '../../../contracts/sessions/step-input';
import type { VariableRow } from '../../../store/sessions/variables';
import { goalText } from '../models/prompts/task';
import { recipeKey } from './recipe-key';
import { DEFAULT_RECIPE_POLICY, replayModeOf, type RecipePolicy } from './replay-mode';

/**
 * Whether a task can be repeated by what its page says: the first of a session, because a later one may depend on all that was
 * said before it, in the session's own browser, and without pictures.
 */
function isRepeatable({ config, steps }: SessionPlan, stepIndex: number): boolean {
  const task = steps[stepIndex]?.task;
  if (task === undefined || task.call !== undefined || task.isExtract === true) return false;
  const { executor, computerUse } = config.agent;
  if (executor !== 'playwright' || computerUse === true || (task.images ?? []).length > 0) return false;
  return steps.slice(0, stepIndex).every((step) => step.task === undefined);
}

/** What a session does with recipes in this task; `off` also where it can't be repeated. */
export function taskReplayMode(
  plan: SessionPlan | undefined,
  stepIndex: number,
  model: string,
  policy: RecipePolicy = DEFAULT_RECIPE_POLICY,
): ReplayMode {
  // The rules plan by their own turns.
  if (plan === undefined || model === 'rules' || !isRepeatable(plan, stepIndex)) return 'off';
  return replayModeOf(plan, model, policy);
}

/** The key of a task that begins on the page of this address; `variables` are those that it can use. */
export function taskKey(
  step: Pick<Step, 'instruction' | 'task'>,
  address: string,
  variables: readonly VariableRow[],
  plan: SessionPlan,
): RecipeKey {
  return { ...recipeKey(goalText(step), address, variables, plan), task: true };
}
