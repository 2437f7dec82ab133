import { checkIssues, CheckSchema, siteCheck } from '../../../contracts/sessions/site-check';
import { namesIn } from '../../../contracts/sessions/once';
import type { RecipeRound } from '../../../contracts/recipes/recipe';
import type { SessionPlan } from '../../../contracts/sessions/start-request';
import { readLook, siteCheckIssues } from '../../../rules/planning/site-check';
import { recipeIdOf } from '../../../store/recipes/recipes';
import type { VariableRow } from '../../../store/sessions/variables';
import type { Store } from '../../../store/store';
import { recipeKey } from './recipe-key';
import { variablesBefore } from './spelling';

const MOST_BEHIND = 20;

/**
 * What the steps behind this one open and expect before anything else is done: a check that it could have. The last line expects
 * a variable, so that it is of this run. Undefined where there is none.
 */
export function looksBehind(plan: SessionPlan, stepIndex: number): string[] | undefined {
  let lines: string[] = [];
  let proven: string[] | undefined;
  for (const { instruction, task } of plan.steps.slice(stepIndex + 1, stepIndex + 1 + MOST_BEHIND)) {
    const line = instruction.trim().replace(/\.$/, '');
    const look = task === undefined ? readLook(line) : undefined;
    if (typeof look !== 'object') break;
    if (look.kind === 'open') {
      if (proven !== undefined) break;
      lines = [line];
    } else if (lines.length > 0) {
      lines = [...lines, line];
      if (isCheck(plan, stepIndex, lines)) proven = lines;
    }
  }
  return proven;
}

function isCheck({ steps, secrets }: SessionPlan, stepIndex: number, lines: string[]): boolean {
  if (namesIn(lines.at(-1) ?? '').length === 0) return false;
  const { instruction } = steps[stepIndex]!;
  return (
    CheckSchema.safeParse(lines).success &&
    checkIssues('check', lines, { secrets }).length === 0 &&
    siteCheckIssues([{ instruction, check: siteCheck(lines) }]).length === 0
  );
}

/** Rounds that send something, with the looks that followed them in the session that they are learnt from. */
export function withLooks(rounds: RecipeRound[], plan: SessionPlan, stepIndex: number): RecipeRound[] {
  const shownBy = rounds.some(({ after }) => after.requests.length > 0) ? looksBehind(plan, stepIndex) : undefined;
  return shownBy === undefined ? rounds : [...rounds.slice(0, -1), { ...rounds.at(-1)!, shownBy }];
}

/**
 * A check for a step that has none, from the steps behind it or from its recipe: for a person to look, and to write it down.
 * `begunAt` is the address of the page on which the step began.
 */
export async function proposeCheck(
  store: Pick<Store, 'recipes'>,
  plan: SessionPlan,
  stepIndex: number,
  { begunAt, variables }: { begunAt: string; variables: readonly VariableRow[] },
): Promise<string[] | undefined> {
  const { instruction, check, task } = plan.steps[stepIndex]!;
  if (check !== undefined || task !== undefined) return undefined;
  const own = looksBehind(plan, stepIndex);
  if (own !== undefined) return own;
  const key = recipeKey(instruction, begunAt, variablesBefore(variables, stepIndex), plan);
  const recipe = await store.recipes.get(recipeIdOf(key));
  return recipe?.isIntact === true ? recipe.rounds.at(-1)?.shownBy : undefined;
}
