import { DecisionAction } from '../../../contracts/models/ai-response';
import { dependsOnDay } from '../../../contracts/recipes/condition';
import { replayedIn } from '../../../contracts/recipes/in-reply';
import type { RecipeRound } from '../../../contracts/recipes/recipe';
import type { Sighting } from '../../../contracts/recipes/sighting';
import type { JournalEntry } from '../../../store/journal/journal';
import type { ReplyRow } from '../../../store/models/step-memory';
import { secondLookIn } from '../../../rules/planning/sight-before';
import { conditionalRounds } from './learn-parts';
import { partOf, roundOf } from './learn-round';
import { namesUsed } from './plan-round';
import type { Values } from './spelling';
import { stepParts } from './step-parts';

/** What is known of one step of a session that has ended. */
export interface EndedStep {
  instruction: string;
  replies: readonly ReplyRow[];
  journal: readonly JournalEntry[];
  /** What the first reply of the step after it saw. */
  seenAfter: Sighting | undefined;
  /** Of the variables that the step could use. */
  values: Values;
  /** Those of all variables: none of them may stand in a recipe. */
  unspoken: Values;
}

/** Whether the commands came from a recipe, from a model, or some from each. */
export function leaderOf(replies: readonly ReplyRow[]): 'recipe' | 'model' | 'both' {
  const leaders = new Set(actingReplies(replies).map(({ reply }) => replayedIn(reply.context) !== undefined));
  if (leaders.size > 1) return 'both';
  return leaders.has(true) ? 'recipe' : 'model';
}

/**
 * The rounds of a step that went well from its first command to its last. Undefined where it can't be repeated: a command
 * failed or was corrected, what followed did not show, or what was typed or chosen came from the page.
 */
export function recipeRoundsOf(step: EndedStep): RecipeRound[] | undefined {
  const { instruction, replies } = step;
  const acting = actingReplies(replies);
  const parts = stepParts(instruction);
  if (parts.kind === 'unclear' || dependsOnDay(instruction)) return undefined;
  const isCorrected = replies.some(
    ({ repeatAt, reply }) => repeatAt !== undefined || reply.decision.action === DecisionAction.ABORT,
  );
  if (isCorrected) return undefined;
  const rounds =
    parts.kind === 'conditional' ? conditionalRounds(step, parts.parts, acting) : straightRounds(step, acting);
  if (rounds === undefined) return undefined;
  // It was done with an element that the step does not name, while the one that it names was there and was left alone.
  const used = namesUsed(rounds);
  const sighted = acting.flatMap(({ sighting }) => sighting?.commands ?? []);
  const isOther = sighted.some(({ namedInstead = [] }) => namedInstead.some((name) => !used.has(name)));
  return isOther ? undefined : rounds;
}

function straightRounds(step: EndedStep, acting: readonly ReplyRow[]): RecipeRound[] | undefined {
  const { replies, seenAfter } = step;
  const isStraight = replies.every(
    (row) => row.reply.decision.action === DecisionAction.PROCEED || isReplayed(row) || isSecondLook(row),
  );
  if (acting.length === 0 || !isStraight) return undefined;
  const rounds = acting.map((row) => {
    const { commands, sighting } = row;
    if (sighting === undefined) return undefined;
    const seen = replies[replies.indexOf(row) + 1]?.sighting ?? seenAfter;
    const parts = commands.map((command) => partOf(row, command));
    return roundOf(step, { commands, sighted: sighting.commands, parts, before: sighting, seen });
  });
  return rounds.includes(undefined) ? undefined : (rounds as RecipeRound[]);
}

function actingReplies(replies: readonly ReplyRow[]): ReplyRow[] {
  return replies.filter(
    (row) => row.commands.length > 0 && replayedIn(row.reply.context)?.isWaiting === undefined && !isSecondLook(row),
  );
}

function isReplayed({ reply }: ReplyRow): boolean {
  return replayedIn(reply.context) !== undefined;
}

/** Whether the page was only left alone for a while, to see what changes by itself: a recipe compares the page anyway. */
function isSecondLook({ reply }: ReplyRow): boolean {
  return secondLookIn(reply) !== undefined;
}
