import { DecisionAction } from '../../../contracts/models/ai-response';
import { dependsOnDay } from '../../../contracts/recipes/condition';
import { replayedIn } from '../../../contracts/recipes/in-reply';
import type { RecipeRound } from '../../../contracts/recipes/recipe';
import type { Sighting } from '../../../contracts/recipes/sighting';
import type { JournalEntry } from '../../../store/journal/journal';
import type { ReplyRow } from '../../../store/models/step-memory';
import { roundsOfActs } from './learn-acts';
import { conditionalRounds } from './learn-parts';
import { partOf, roundOf } from './learn-round';
import { namesUsed } from './plan-round';
import type { Values } from './spelling';
import { stepParts } from './step-parts';
import { isGoingOn, isLook, isSecondLook, wentStraight } from './straight-replies';

/** What is known of one step of a session that has ended. */
export interface EndedStep {
  instruction: string;
  replies: readonly ReplyRow[];
  journal: readonly JournalEntry[];
  /** What persons have done at the browser during the step. */
  acts: readonly JournalEntry[];
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
  const helpedAt = step.acts.at(-1)?.intendedAt;
  const isHelped = ({ at }: ReplyRow) => helpedAt !== undefined && at !== undefined && at < helpedAt;
  const isCorrected = replies.some(
    (row) => (row.repeatAt !== undefined && !isHelped(row)) || row.reply.decision.action === DecisionAction.ABORT,
  );
  if (isCorrected) return undefined;
  const rounds =
    step.acts.length > 0
      ? parts.kind === 'plain' && helpedRounds(step)
      : parts.kind === 'conditional'
        ? conditionalRounds(step, parts.parts, acting)
        : straightRounds(step, acting);
  if (rounds === undefined || rounds === false) return undefined;
  // It was done with an element that the step does not name, while the one that it names was there and was left alone.
  const used = namesUsed(rounds);
  const sighted = [
    ...acting.flatMap(({ sighting }) => sighting?.commands ?? []),
    ...step.acts.flatMap(({ sighting }) => sighting?.command ?? []),
  ];
  const isOther = sighted.some(({ namedInstead = [] }) => namedInstead.some((name) => !used.has(name)));
  return isOther ? undefined : rounds;
}

/**
 * The rounds of a step in which persons took the browser over: their acts in their place among the commands. What was tried
 * before and changed nothing is left out: it is why the person was needed.
 */
function helpedRounds(step: EndedStep): RecipeRound[] | undefined {
  const timeline = [
    ...step.replies.map((row) => ({ at: row.at?.getTime() ?? Infinity, row })),
    ...step.acts.map((act) => ({ at: act.intendedAt.getTime(), act })),
  ].sort((one, other) => one.at - other.at);
  const rounds: RecipeRound[] = [];
  while (timeline.length > 0) {
    const isLed = 'row' in timeline[0]!;
    const end = timeline.findIndex((each) => 'row' in each !== isLed);
    const group = timeline.splice(0, end === -1 ? timeline.length : end);
    const next = timeline[0];
    const replies = group.flatMap((each) => ('row' in each ? each.row : []));
    const acts = group.flatMap((each) => ('act' in each ? each.act : []));
    const found = isLed
      ? ledRounds(step, replies, next && 'act' in next ? next.act : undefined)
      : roundsOfActs(step, acts);
    if (found === undefined) return undefined;
    rounds.push(...found);
  }
  return rounds.length === 0 ? undefined : rounds;
}

/** Of the replies up to an act of a person, or to the end of the step. */
function ledRounds(
  step: EndedStep,
  replies: readonly ReplyRow[],
  helpedBy: JournalEntry | undefined,
): RecipeRound[] | undefined {
  const rows = helpedBy === undefined ? replies : replies.flatMap((row) => onlyWhatRan(row, step.journal));
  const acting = actingReplies(rows);
  if (acting.length === 0) return [];
  // Why the person was needed.
  if (helpedBy !== undefined && rows.some(isGoingOn)) return undefined;
  const before = helpedBy?.sighting?.before;
  const seenAfter = before === undefined ? step.seenAfter : { ...before, texts: [], commands: [] };
  return straightRounds({ ...step, replies: rows, seenAfter }, acting);
}

/** A reply without the commands that did not run: none of it where they only looked for what was not there. */
function onlyWhatRan(row: ReplyRow, journal: readonly JournalEntry[]): ReplyRow[] {
  const entries = row.commands.map(({ commandId }) => journal.find((entry) => entry.commandId === commandId));
  const ran = entries.filter((entry) => entry !== undefined && !isWithoutEffect(entry)).length;
  const isTrying = row.reply.decision.action === DecisionAction.RETRY;
  const hasActed = entries.slice(0, ran).some((entry) => entry?.effect !== 'pure' || entry.action === 'SAVE_VARIABLE');
  if (ran === 0 || (isTrying && !hasActed)) return [];
  // They run in order up to the first that is not done.
  return [{ ...row, commands: row.commands.slice(0, ran) }];
}

/** It failed before anything was done: it only looks, or did not find its element. */
function isWithoutEffect({ status, effect, error, evidence }: JournalEntry): boolean {
  if (status !== 'failed') return false;
  const hasSent = evidence?.kind !== 'observed' || evidence.requests.length > 0 || evidence.navigations.length > 0;
  return effect === 'pure' || (error?.code === 'EX002' && !hasSent);
}

function straightRounds(step: EndedStep, acting: readonly ReplyRow[]): RecipeRound[] | undefined {
  const { replies, seenAfter } = step;
  if (acting.length === 0 || !wentStraight(replies)) return undefined;
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
    (row) => !isLook(row) && replayedIn(row.reply.context)?.isWaiting === undefined && !isSecondLook(row),
  );
}
