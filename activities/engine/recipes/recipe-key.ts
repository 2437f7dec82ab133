import { toPagePattern } from '../../../contracts/recipes/page-pattern';
import type { RecipeKey } from '../../../contracts/recipes/recipe';
import { DEFAULT_TENANT, type SessionPlan } from '../../../contracts/sessions/start-request';
import type { VariableRow } from '../../../store/sessions/variables';
import { valuesOf } from './spelling';

/** The key of a step that begins on the page of this address; `variables` are those that it can use. */
export function recipeKey(
  instruction: string,
  address: string,
  variables: readonly VariableRow[],
  plan: Pick<SessionPlan, 'secrets' | 'tenant'> | undefined,
): RecipeKey {
  const names = [...variables.map(({ name }) => name), ...Object.keys(plan?.secrets ?? {})];
  return {
    tenant: plan?.tenant ?? DEFAULT_TENANT,
    instruction,
    page: toPagePattern(address, valuesOf(variables)),
    variables: [...new Set(names)].sort(),
  };
}
