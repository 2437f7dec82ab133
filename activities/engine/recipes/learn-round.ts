import { EFFECT_CLASS } from '../../../contracts/commands/commands';
import { isEffectLost } from '../../../contracts/commands/evidence';
import type { PlannedCommand } from '../../../contracts/commands/planned-command';
import { toPagePattern } from '../../../contracts/recipes/page-pattern';
import type { Postcondition, RecipeCommand, RecipeRound } from '../../../contracts/recipes/recipe';
import type { SightedCommand, Sighting } from '../../../contracts/recipes/sighting';
import type { JournalEntry } from '../../../store/journal/journal';
import type { ReplyRow } from '../../../store/models/step-memory';
import { notesOf } from '../../../rules/planning/progress';
import { hasRefusedRequest, requestPatterns } from './observed-effect';
import { textDigest } from './sighting';
import { holdsValue, holdsValueSomewhere, isGivenByStep, type Values } from './spelling';

/** The step that a round is of. */
export interface StepOfRound {
  instruction: string;
  journal: readonly JournalEntry[];
  values: Values;
  unspoken: Values;
}

/** Commands that one look at the page was enough for. */
export interface DoneRound {
  commands: readonly PlannedCommand[];
  /** Of each command. */
  sighted: readonly SightedCommand[];
  /** Which action of the step each command is of, as far as that is known. */
  parts: readonly (number | undefined)[];
  before: Pick<Sighting, 'url' | 'said'>;
  /** What was seen after them; undefined where others followed without a look. */
  seen: Sighting | undefined;
  /** Their effect has shown by something else than what is kept of the page. */
  hasShown?: boolean;
}

/** A round as it is done again. Undefined where it did not go well, can't be found again, or is data of that day. */
export function roundOf(
  { instruction, journal, values, unspoken }: StepOfRound,
  { commands: planned, sighted, parts, before, seen, hasShown = false }: DoneRound,
): RecipeRound | undefined {
  const entries = planned.map(({ commandId }) => journal.find((entry) => entry.commandId === commandId));
  if (!entries.every((entry) => entry !== undefined && isDone(entry))) return undefined;
  const evidence = entries.map((entry) => entry?.evidence);
  const last = evidence.at(-1);
  if (hasRefusedRequest(evidence) || last?.kind !== 'observed') return undefined;
  const commands = planned.map(({ action, parameters }, position): RecipeCommand => {
    const seenOf: SightedCommand = sighted[position] ?? {};
    const { isAmbiguous: _ambiguous, namedInstead: _named, ...marks } = seenOf;
    const part = parts[position];
    return { action, parameters, ...marks, ...(part === undefined ? {} : { part }) };
  });
  if (sighted.some(({ isAmbiguous }) => isAmbiguous === true)) return undefined;
  if (!commands.every((command) => isGivenByStep(instruction, command))) return undefined;
  const page = toPagePattern(before.url, values);
  const after: Postcondition = {
    page: toPagePattern(seen?.url ?? last.urlAfter, values),
    texts: (seen?.texts ?? []).filter(
      (text) => !before.said.includes(textDigest(text)) && !holdsValue(text, unspoken, instruction),
    ),
    requests: requestPatterns(evidence, values),
  };
  const isSeen = hasShown || after.page !== page || after.texts.length > 0 || after.requests.length > 0;
  if (!isSeen && commands.some(({ action }) => EFFECT_CLASS[action] === 'commit')) return undefined;
  const round = { page, commands, after };
  return holdsValueSomewhere(round, unspoken, instruction) ? undefined : round;
}

/** The rules note which action of the step each of their commands is of; a recipe of theirs keeps that. */
export function partOf({ reply, commands }: ReplyRow, command: PlannedCommand): number | undefined {
  const part = notesOf(reply).plan[commands.indexOf(command)] ?? -1;
  return part < 0 ? undefined : part;
}

function isDone({ status, evidence }: JournalEntry): boolean {
  return status === 'done' && evidence?.kind === 'observed' && !isEffectLost(evidence) && !evidence.blockedNavigation;
}
