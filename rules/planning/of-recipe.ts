import { EFFECT_CLASS } from '../../contracts/commands/commands';
import { replayedIn } from '../../contracts/recipes/in-reply';
import type { PastCommand, DecisionRequest } from '../../contracts/model-port/port';
import { notesOf } from './progress';

/**
 * A click or key press of a recipe in this step, of which nothing says which action of the step it was: it may have happened,
 * and to do the step from its beginning would do it twice. Recipes that the rules left say it.
 */
export function unassignedCommit({ pastIterations }: DecisionRequest): PastCommand | undefined {
  return pastIterations
    .filter((iteration) => replayedIn(iteration.context) !== undefined && notesOf(iteration).plan.length === 0)
    .flatMap(({ outcomes }) => outcomes)
    .find(({ action, status, resolution }) => {
      const hasHappened = status === 'done' || (status === 'unknown' && resolution?.happened !== false);
      return EFFECT_CLASS[action] === 'commit' && hasHappened;
    });
}
