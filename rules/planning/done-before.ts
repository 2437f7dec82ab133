import { EFFECT_CLASS } from '../../contracts/commands/commands';
import type { DecisionRequest } from '../../contracts/model-port/port';
import type { Action } from '../language/intent';
import { truncate } from '../matching/item-text';
import { actionState, notesOf } from './progress';

/** What a refusal says of the parts of its step that came before. */
export function doneBefore({ pastIterations }: DecisionRequest, actions: readonly Action[]): string {
  const isActed = pastIterations.some(({ outcomes }) =>
    outcomes.some(({ action, status }) => status !== 'skipped' && EFFECT_CLASS[action] !== 'pure'),
  );
  if (!isActed) return ' Nothing was done.';
  const done = actions.filter(
    (_, index) =>
      actionState(index, pastIterations).kind === 'done' &&
      pastIterations.some((iteration) => notesOf(iteration).plan.includes(index)),
  );
  return done.length === 0 ? '' : ` Done before: ${done.map(({ said }) => `“${truncate(said)}”`).join(', ')}.`;
}
