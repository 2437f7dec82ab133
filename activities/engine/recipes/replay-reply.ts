import type { PageSnapshot } from '../../../contracts/browsers/page-snapshot';
import type { AIGeneratedCommand } from '../../../contracts/commands/commands';
import type { PlannedCommand } from '../../../contracts/commands/planned-command';
import { AIResponseSchema, DecisionAction } from '../../../contracts/models/ai-response';
import type { Recipe } from '../../../contracts/recipes/recipe';
import type { ReplyRow } from '../../../store/models/step-memory';
import { RECIPE_MODEL } from '../../../contracts/recipes/in-reply';
import { fingerprintOf } from '../../recorded/fingerprint';
import type { DecideInput } from '../../signatures/engine-activities';
import { NO_USAGE } from '../models/calls/language-call';
import { turnId } from '../models/replies/reply-records';
import type { PlannedRound } from './plan-round';
import { seenOf } from './sighting';

const WAIT_SECONDS = 5;
/** For what a part of a step depends on, as the rules wait for it. */
const CONDITION_SECONDS = 1.5;
/** For a page that is to be another one. */
const SHORT_WAIT_SECONDS = 1;

/** What a reply of a recipe does: commands of a round, time for a text to come, or the end of the step, well or not. */
export type ReplayedTurn =
  | { kind: 'act'; plan: PlannedRound }
  | { kind: 'wait'; text: string; isForCondition?: boolean }
  | { kind: 'end' }
  | { kind: 'give-up'; why: string };

/** Commands are RETRY where the step is not done with them, so that another look at the page follows. */
export function replayReply(
  input: DecideInput,
  snapshot: PageSnapshot,
  { recipeId, version }: Recipe,
  context: Record<string, unknown>,
  turn: ReplayedTurn,
  next?: string,
): ReplyRow {
  const planned = turn.kind === 'act' ? turn.plan.commands : turn.kind === 'wait' ? [waitCommand(input, turn)] : [];
  const commands = planned.map(({ action, parameters }) => ({ action, parameters }) as AIGeneratedCommand);
  const message = messageOf(turn);
  const success = turn.kind !== 'give-up';
  const reply = AIResponseSchema.parse({
    decision: {
      action: ACTIONS[turn.kind],
      message,
      ...(input.turn === 0 ? {} : { resultValidation: { success, expectedElements: [], actualState: snapshot.url } }),
    },
    reasoning: {
      analysis: `Recipe ${recipeId}, version ${version}.`,
      rationale: message,
      expectedOutcome: turn.kind === 'end' ? 'The step is done.' : 'What followed before follows again.',
      confidence: 1,
    },
    commands,
    context,
  });
  const sighted = turn.kind === 'act' ? turn.plan.sighted : [];
  return {
    turn: input.turn,
    reply,
    model: RECIPE_MODEL,
    usage: NO_USAGE,
    commands: planned,
    snapshotDigest: fingerprintOf(snapshot),
    sighting: { ...seenOf(snapshot, input.step.instruction, next), commands: sighted },
  };
}

const ACTIONS: Record<ReplayedTurn['kind'], DecisionAction> = {
  act: DecisionAction.RETRY,
  wait: DecisionAction.RETRY,
  end: DecisionAction.PROCEED,
  'give-up': DecisionAction.ABORT,
};

function messageOf(turn: ReplayedTurn): string {
  switch (turn.kind) {
    case 'act':
      return 'The page has what the recipe needs.';
    case 'wait':
      return `Wait for ${turn.text === '' ? 'the page' : `“${turn.text}”`}.`;
    case 'end':
      return 'What had to follow is there.';
    case 'give-up':
      return turn.why;
  }
}

function waitCommand(
  input: DecideInput,
  { text, isForCondition = false }: ReplayedTurn & { kind: 'wait' },
): PlannedCommand {
  // Numbers of patterns are none of the page.
  const [words = ''] = text.split('#').sort((one, other) => other.length - one.length);
  const seconds = isForCondition ? CONDITION_SECONDS : WAIT_SECONDS;
  const parameters = words.trim() === '' ? { seconds: SHORT_WAIT_SECONDS } : { text: words.trim(), seconds };
  return { commandId: `${turnId(input)}.0`, action: 'WAIT_FOR', parameters };
}
