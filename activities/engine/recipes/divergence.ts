import type { NewRecord } from '../../../contracts/events/log';
import { StreamEventType } from '../../../contracts/events/stream-event';
import type { Recipe } from '../../../contracts/recipes/recipe';
import { REPLAY_DIVERGED } from '../../../contracts/recipes/replay-mode';
import type { Step } from '../../../contracts/sessions/step-input';
import type { TurnKey } from '../../../store/models/messages';
import type { PastCommand } from '../../../contracts/model-port/port';
import { turnId } from '../models/replies/reply-records';
import type { Difference } from './check-effect';

/** Why a recipe does not do a step or task; only what the page shows counts as its failure. */
export interface Divergence extends Pick<Difference, 'why'> {
  recipe?: Recipe | undefined;
  isOfPage?: boolean;
}

type Outcome = Pick<PastCommand, 'status' | 'resolution' | 'error'>;

export function hasHappened({ status, resolution }: Outcome): boolean {
  return status === 'done' || (status === 'unknown' && resolution?.happened === true);
}

/** Of the page, or of the browser and the way to the site, which says nothing of the recipe. */
export function whyUndone(what: string, { status, error }: Outcome, isUnknown: boolean): Divergence {
  if (isUnknown) return { why: `nobody saw what came of ${what}` };
  const isOfPage = status === 'failed' && /^EX00[23]/.test(error?.code ?? '');
  return { why: `${what} was not done${error === undefined ? '' : `: ${error.message}`}`, isOfPage };
}

/** The warning that a model takes a step or task over. */
export function takenOverRecord(
  { step, ...place }: TurnKey & { step: Pick<Step, 'options' | 'task'> },
  { why, recipe }: Divergence,
): NewRecord {
  const { sessionId, stepIndex, turn } = place;
  const eventId = `${turnId(place)}/replay`;
  const timestamp = new Date();
  const what = step.task === undefined ? 'step' : 'task';
  const message = `Recipe ${recipe?.recipeId} does not do the ${what}: ${why}. ${step.options.aiConfig.model} takes it over.`;
  const details = { kind: REPLAY_DIVERGED, recipeId: recipe?.recipeId, version: recipe?.version };
  return {
    eventId,
    owner: 'executor-streamer',
    type: StreamEventType.WARNING_ISSUED,
    at: timestamp.toISOString(),
    stepIndex,
    turn,
    data: { warning: { id: eventId, code: 'TL004', message, details, timestamp, sessionId, stepIndex } },
  };
}
