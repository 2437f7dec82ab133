import { DecisionAction } from '../../contracts/models/ai-response';
import { RECIPE_MODEL } from '../../contracts/recipes/in-reply';
import { GUESS_CONFIDENCE } from '../../contracts/steps/investigation';
import type { RunCommandsOutput } from '../signatures/browser-activities';
import type { DecideOutput } from '../signatures/engine-activities';

/** Whether nobody has to be asked first: about the commands, or about one whose outcome is unknown. */
export function isRunAtOnce(
  { decision, commands, unknownCommits = [], asksForDeeds }: DecideOutput,
  mayAct: boolean,
): boolean {
  const acts = mayAct && decision !== DecisionAction.ABORT && commands.length > 0;
  return acts && unknownCommits.length === 0 && asksForDeeds !== true;
}

/**
 * Whether commands that were to complete the step, or that are a part of a recipe, have all succeeded, and nothing calls for
 * a look at the page before it is judged.
 */
export function isOnlyToBeJudged(
  { decision, model, hasRepeats, investigate, confidence }: DecideOutput,
  { outcomes, isInterrupted }: RunCommandsOutput,
  isReflecting: boolean,
): boolean {
  const isSure = investigate === undefined && confidence >= GUESS_CONFIDENCE;
  const hasNext = decision === DecisionAction.PROCEED ? isReflecting : model === RECIPE_MODEL;
  if (!hasNext || hasRepeats === true || !isSure || isInterrupted) return false;
  return outcomes.every(
    ({ status, isNavigationBlocked, endsStep }) =>
      status === 'done' && isNavigationBlocked !== true && endsStep === undefined,
  );
}
