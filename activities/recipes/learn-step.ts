import { EFFECT_CLASS } from '../../contracts/commands/commands';
import { isLostWithBrowser } from '../../contracts/commands/evidence';
import { DecisionAction } from '../../contracts/models/ai-response';
import { replayedIn } from '../../contracts/recipes/in-reply';
import { toPagePattern } from '../../contracts/recipes/page-pattern';
import type { Postcondition, RecipeCommand, RecipeRound } from '../../contracts/recipes/recipe';
import type { SightedCommand, Sighting } from '../../contracts/recipes/sighting';
import type { JournalEntry } from '../../store/journal/journal';
import type { ReplyRow } from '../../store/models/step-memory';
import { notesOf } from '../models/rules/planning/progress';
import { secondLookIn } from '../models/rules/planning/sight-before';
import { hasRefusedRequest, requestPatterns } from './observed-effect';
import { namesUsed } from './plan-round';
import { textDigest } from './sighting';
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
    (row) =>
      row.repeatAt === undefined &&
      (row.reply.decision.action === DecisionAction.PROCEED || isReplayed(row) || isSecondLook(row)),
  );
  if (!isStraight) return undefined;
  const rounds = acting.map((row) => {
    const entries = row.commands.map(({ commandId }) => outcomes.get(commandId));
    const after = replies[replies.indexOf(row) + 1]?.sighting ?? seenAfter;
    return row.sighting === undefined
      ? undefined
      : roundOf(instruction, row, row.sighting, entries, after, values, unspoken);
  });
  const known = rounds.filter((round) => round !== undefined);
  if (known.length < rounds.length) return undefined;
  // It was done with an element that the step does not name, while the one that it names was there and was left alone.
  const used = namesUsed(known);
  const sighted = acting.flatMap(({ sighting }) => sighting?.commands ?? []);
  const isOther = sighted.some(({ namedInstead = [] }) => namedInstead.some((name) => !used.has(name)));
  return isOther ? undefined : known;
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
    const seenOf: SightedCommand = before.commands[position] ?? {};
    const { chosenAmong, isAmbiguous: _ambiguous, namedInstead: _named, ...sighted } = seenOf;
    return {
      action,
      parameters,
      ...sighted,
      ...(chosenAmong === undefined ? {} : { chosenAmong }),
      ...partOf(row, position),
    };
  });
  if (before.commands.some(({ isAmbiguous }) => isAmbiguous === true)) return undefined;
  if (!commands.every((command) => isGivenByStep(instruction, command))) return undefined;
  const page = toPagePattern(before.url, values);
  const after: Postcondition = {
    page: toPagePattern(seen?.url ?? last.urlAfter, values),
    texts: (seen?.texts ?? []).filter(
      (text) => !before.said.includes(textDigest(text)) && !holdsValue(text, unspoken, instruction),
    ),
    requests: requestPatterns(evidence, values),
  };
  const isSeen = after.page !== page || after.texts.length > 0 || after.requests.length > 0;
  if (!isSeen && commands.some(({ action }) => EFFECT_CLASS[action] === 'commit')) return undefined;
  const round = { page, commands, after };
  return holdsValueSomewhere(round, unspoken, instruction) ? undefined : round;
}

/** The rules note which action of the step each of their commands belongs to; a recipe of theirs keeps that. */
function partOf({ reply }: ReplyRow, position: number): Pick<RecipeCommand, 'part'> {
  const { plan } = notesOf(reply);
  const part = plan[position] ?? -1;
  return part < 0 ? {} : { part };
}

function isDone({ status, evidence }: JournalEntry): boolean {
  return (
    status === 'done' && evidence?.kind === 'observed' && !isLostWithBrowser(evidence) && !evidence.blockedNavigation
  );
}
