import type { PageSnapshot } from '../../contracts/browsers/page-snapshot';
import type { AIGeneratedCommand } from '../../contracts/commands/commands';
import type { PlannedCommand } from '../../contracts/commands/planned-command';
import { AIResponseSchema, DecisionAction } from '../../contracts/models/ai-response';
import type { Recipe } from '../../contracts/recipes/recipe';
import type { ReplyRow } from '../../store/models/step-memory';
import { fingerprintOf } from '../browsers/checkpoints/fingerprint';
import type { DecideInput } from '../engine-activities';
import { NO_USAGE } from '../models/steps/begun-step';
import { turnId } from '../models/steps/reply-records';
import type { PlannedRound } from './plan-round';
import { textsOf } from './sighting';

/** As the model of a reply; no vendor has this name. */
export const RECIPE_MODEL = 'recipe';

const WAIT_SECONDS = 5;
/** For a page that is to be another one. */
const SHORT_WAIT_SECONDS = 1;

/**
 * A reply of a recipe: commands of a round, time for a text to come, or, without either, the end of the step. Commands are
 * RETRY where the step is not done with them, so that another look at the page follows.
 */
export function replayReply(
  input: DecideInput,
  snapshot: PageSnapshot,
  { recipeId, version }: Recipe,
  context: Record<string, unknown>,
  { plan, waitsFor }: { plan?: PlannedRound; waitsFor?: string },
): ReplyRow {
  const planned = plan?.commands ?? (waitsFor === undefined ? [] : [waitCommand(input, waitsFor)]);
  const commands = planned.map(({ action, parameters }) => ({ action, parameters }) as AIGeneratedCommand);
  const isEnd = planned.length === 0;
  const message = isEnd
    ? 'What had to follow is there.'
    : plan === undefined
      ? `Wait for ${waitsFor === '' ? 'the page' : `“${waitsFor}”`}.`
      : 'The page has what the recipe needs.';
  const reply = AIResponseSchema.parse({
    decision: {
      action: isEnd ? DecisionAction.PROCEED : DecisionAction.RETRY,
      message,
      ...(input.turn === 0
        ? {}
        : { resultValidation: { success: true, expectedElements: [], actualState: snapshot.url } }),
    },
    reasoning: {
      analysis: `Recipe ${recipeId}, version ${version}.`,
      rationale: message,
      expectedOutcome: isEnd ? 'The step is done.' : 'What followed before follows again.',
      confidence: 1,
    },
    commands,
    context,
  });
  return {
    turn: input.turn,
    reply,
    model: RECIPE_MODEL,
    usage: NO_USAGE,
    commands: planned,
    snapshotDigest: fingerprintOf(snapshot),
    sighting: { url: snapshot.url, ...textsOf(snapshot), commands: plan?.sighted ?? [] },
  };
}

function waitCommand(input: DecideInput, text: string): PlannedCommand {
  // Numbers of patterns are none of the page.
  const [words = ''] = text.split('#').sort((one, other) => other.length - one.length);
  const parameters =
    words.trim() === '' ? { seconds: SHORT_WAIT_SECONDS } : { text: words.trim(), seconds: WAIT_SECONDS };
  return { commandId: `${turnId(input)}.0`, action: 'WAIT_FOR', parameters };
}
