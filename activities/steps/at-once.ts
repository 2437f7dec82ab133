import { DecisionAction } from '../../contracts/models/ai-response';
import { RECIPE_MODEL } from '../../contracts/recipes/in-reply';
import { GUESS_CONFIDENCE } from '../../contracts/steps/investigation';
import { afterReply, isToBeJudged } from '../../contracts/steps/after-reply';
import type { CommandSummary, DecideAndRunOutput, RunCommandsOutput } from '../signatures/browser-activities';
import type { DecideInput, DecideOutput } from '../signatures/engine-activities';

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
  return hasSucceeded(outcomes);
}

/** Whether the workflow will find the step done, with nothing to ask about it. */
export function isStepDone(
  { decided, ran, judged }: Pick<DecideAndRunOutput, 'decided' | 'ran' | 'judged'>,
  { mayAct, step: { options } }: Pick<DecideInput, 'mayAct' | 'step'>,
): boolean {
  if (decided === undefined) return false;
  const { reflectionEnabled, maxIterations } = options;
  if (ran === undefined) return completes(decided, mayAct, reflectionEnabled);
  if (reflectionEnabled) return judged !== undefined && completes(judged, maxIterations > 1, true);
  const isWhole = decided.hasRepeats !== true && !ran.isInterrupted && hasSucceeded(ran.outcomes);
  return ran.problem === undefined && isToBeJudged({ ...decided, commandCount: decided.commands.length }, isWhole);
}

function completes(reply: DecideOutput, mayAct: boolean, isReflecting: boolean): boolean {
  const { unknownCommits = [], isUnread, commands, hasRepeats } = reply;
  if (unknownCommits.length > 0 || isUnread === true) return false;
  const commandCount = commands.length + (hasRepeats === true ? 1 : 0);
  return afterReply({ ...reply, commandCount }, mayAct, isReflecting).kind === 'completed';
}

function hasSucceeded(outcomes: readonly CommandSummary[]): boolean {
  return outcomes.every(
    ({ status, isNavigationBlocked, endsStep }) =>
      status === 'done' && isNavigationBlocked !== true && endsStep === undefined,
  );
}
