import { EFFECT_CLASS } from '../../contracts/commands/commands';
import { isLostWithBrowser } from '../../contracts/commands/evidence';
import { DecisionAction } from '../../contracts/models/ai-response';
import { replayedIn } from '../../contracts/recipes/in-reply';
import { toPagePattern } from '../../contracts/recipes/page-pattern';
import type { Postcondition, RecipeCommand, RecipeRound } from '../../contracts/recipes/recipe';
import type { SightedCommand, Sighting } from '../../contracts/recipes/sighting';
import type { JournalEntry } from '../../store/journal/journal';
import type { ReplyRow } from '../../store/models/step-memory';
import { hasRefusedRequest, requestPatterns } from './observed-effect';
import { holdsValue, holdsValueSomewhere, isGivenByStep, type Values } from './spelling';

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
export function roundsOf({
  instruction,
  replies,
  journal,
  seenAfter,
  values,
  unspoken,
}: EndedStep): RecipeRound[] | undefined {
  const acting = actingReplies(replies);
  const outcomes = new Map(journal.map((entry) => [entry.commandId, entry]));
  if (acting.length === 0) return undefined;
  const isStraight = replies.every(
    ({ reply, repeatAt }) =>
      repeatAt === undefined &&
      (reply.decision.action === DecisionAction.PROCEED || replayedIn(reply.context) !== undefined),
  );
  if (!isStraight) return undefined;
  const rounds = acting.map((row) => {
    const entries = row.commands.map(({ commandId }) => outcomes.get(commandId));
    const after = replies[replies.indexOf(row) + 1]?.sighting ?? seenAfter;
    return row.sighting === undefined
      ? undefined
      : roundOf(instruction, row, row.sighting, entries, after, values, unspoken);
  });
  return rounds.some((round) => round === undefined) ? undefined : (rounds as RecipeRound[]);
}

function actingReplies(replies: readonly ReplyRow[]): ReplyRow[] {
  return replies.filter(
    ({ commands, reply }) => commands.length > 0 && replayedIn(reply.context)?.isWaiting === undefined,
  );
}

function roundOf(
  instruction: string,
  row: ReplyRow,
  before: Sighting,
  entries: readonly (JournalEntry | undefined)[],
  seen: Sighting | undefined,
  values: Values,
  unspoken: Values,
): RecipeRound | undefined {
  if (!entries.every((entry) => entry !== undefined && isDone(entry))) return undefined;
  const evidence = entries.map((entry) => entry?.evidence);
  const last = evidence.at(-1);
  if (hasRefusedRequest(evidence) || last?.kind !== 'observed') return undefined;
  const commands = row.commands.map((planned, position): RecipeCommand => {
    const { action, parameters } = planned;
    const { chosenAmong, isAmbiguous: _, ...sighted }: SightedCommand = before.commands[position] ?? {};
    return {
      action,
      parameters,
      ...sighted,
      ...(chosenAmong === undefined ? {} : { chosenAmong }),
    };
  });
  if (before.commands.some(({ isAmbiguous }) => isAmbiguous === true)) return undefined;
  if (!commands.every((command) => isGivenByStep(instruction, command))) return undefined;
  const page = toPagePattern(before.url, values);
  const after: Postcondition = {
    page: toPagePattern(seen?.url ?? last.urlAfter, values),
    texts: (seen?.texts ?? []).filter(
      (text) => !before.texts.includes(text) && !holdsValue(text, unspoken, instruction),
    ),
    requests: requestPatterns(evidence, values),
  };
  const isSeen = after.page !== page || after.texts.length > 0 || after.requests.length > 0;
  if (!isSeen && commands.some(({ action }) => EFFECT_CLASS[action] === 'commit')) return undefined;
  const round = { page, commands, after };
  return holdsValueSomewhere(round, unspoken, instruction) ? undefined : round;
}

function isDone({ status, evidence }: JournalEntry): boolean {
  return (
    status === 'done' && evidence?.kind === 'observed' && !isLostWithBrowser(evidence) && !evidence.blockedNavigation
  );
}
