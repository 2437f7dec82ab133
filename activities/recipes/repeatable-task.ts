import type { RecipeKey } from '../../contracts/recipes/recipe';
import type { SessionPlan, Step } from '../../contracts/sessions/start-request';
import type { VariableRow } from '../../store/sessions/variables';
import { goalText } from '../tasks/prompts/task';
import { recipeKey } from './recipe-key';

/**
 * Whether a task can be repeated by what its page says: the first of a session, because a later one may depend on all that was
 * said before it, in the session's own browser, and without pictures.
 */
export function isRepeatableTask({ config, steps }: SessionPlan, stepIndex: number): boolean {
  const task = steps[stepIndex]?.task;
  if (task === undefined || task.call !== undefined || task.isExtract === true) return false;
  const { executor, computerUse } = config.agent;
  if (executor !== 'playwright' || computerUse === true || (task.images ?? []).length > 0) return false;
  return steps.slice(0, stepIndex).every((step) => step.task === undefined);
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
