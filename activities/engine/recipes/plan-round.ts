import type { PageSnapshot } from '../../../contracts/browsers/page-snapshot';
import type { PlannedCommand } from '../../../contracts/commands/planned-command';
import type { RecipeCommand, RecipeRound, RecipeTarget } from '../../../contracts/recipes/recipe';
import type { Step } from '../../../contracts/sessions/step-input';
import type { SightedCommand } from '../../../contracts/recipes/sighting';
import { selectorText } from '../../../rules/page-text/durable-target';
import { placeWordsOfRef } from '../../../rules/page-text/place-words';
import { turnId } from '../models/replies/reply-records';
import type { TurnKey } from '../../../store/models/messages';
import { findRecipeTarget, type FoundTarget } from './find-target';
import { marksOf } from './marks';
import { namedInstead } from './named-instead';
import { peersDigest } from './sighting';

export interface PlannedRound {
  commands: PlannedCommand[];
  sighted: SightedCommand[];
  /** An element was found by its other marks. */
  isHealed: boolean;
  /** Why the round can't run on this page. */
  why?: string | undefined;
  /** The reason is an element that is not there, which may come yet; its name. */
  isAbsent: boolean;
  absent?: string | undefined;
  /** The role of an element that is not certain. */
  role?: string | undefined;
}

/** What a round is planned for. */
export interface RoundPlace extends TurnKey {
  step: Pick<Step, 'instruction'>;
  /** Names of the elements that the commands of the whole recipe use. */
  namesUsed: ReadonlySet<string>;
}

/** Plans the commands of a round for a page: each element is the one it was learnt with, or the round can't run. */
export function planRound(
  snapshot: PageSnapshot,
  place: RoundPlace,
  { commands }: Pick<RecipeRound, 'commands'>,
): PlannedRound {
  const round: PlannedRound = { commands: [], sighted: [], isHealed: false, isAbsent: false };
  for (const [position, command] of commands.entries()) {
    const target = findIn(snapshot, command.target);
    const to = findIn(snapshot, command.toTarget);
    for (const [found, wanted] of [
      [target, command.target],
      [to, command.toTarget],
    ] as const) {
      if (found?.kind === 'healed') round.isHealed = true;
      if (found?.kind !== 'unsure') continue;
      const absent = wanted?.name || wanted?.label;
      return { ...round, why: found.why, isAbsent: found.isAbsent, absent, role: wanted?.role };
    }
    const why = choiceDiffers(snapshot, command, target) ?? namesAnother(snapshot, place, command, target);
    if (why !== undefined) return { ...round, why };
    round.commands.push(toPlanned(snapshot, command, `${turnId(place)}.${position}`, target, to));
    round.sighted.push(toSighted(snapshot, command, target, to));
  }
  return round;
}

type Found = Exclude<FoundTarget, { kind: 'unsure' }>;

function findIn(snapshot: PageSnapshot, wanted: RecipeTarget | undefined): FoundTarget | undefined {
  return wanted === undefined ? undefined : findRecipeTarget(snapshot, wanted);
}

/** What was chosen by what the page said is chosen again only where it says the same. */
function choiceDiffers(
  snapshot: PageSnapshot,
  { chosenAmong }: RecipeCommand,
  found: FoundTarget | undefined,
): string | undefined {
  if (chosenAmong === undefined || found === undefined || found.kind === 'unsure') return undefined;
  if (peersDigest(snapshot, found.place) === chosenAmong) return undefined;
  return `what the ${found.target.role} “${found.target.name}” was chosen among reads differently`;
}

/** Names of the elements, and of the options, that the commands of a recipe use. */
export function namesUsed(rounds: readonly RecipeRound[]): ReadonlySet<string> {
  const commands = rounds.flatMap((round) => round.commands);
  const options = commands.flatMap(({ parameters: { option } }) => option ?? []);
  const targets = commands.flatMap(({ target, toTarget }) => [target, toTarget]);
  return new Set([...options, ...targets.flatMap((target) => target?.name ?? [])]);
}

/** A wrong recipe does not do a step with another element than the one that the step names. */
function namesAnother(
  snapshot: PageSnapshot,
  { step: { instruction }, namesUsed: used }: RoundPlace,
  { action }: RecipeCommand,
  found: FoundTarget | undefined,
): string | undefined {
  if (found === undefined || found.kind === 'unsure') return undefined;
  const instead = namedInstead(snapshot, instruction, action, found.place).filter((name) => !used.has(name));
  if (instead.length === 0) return undefined;
  return `the step names “${instead.join('”, “')}”, and the recipe would take the ${found.target.role} “${found.target.name}”`;
}

function toPlanned(
  snapshot: PageSnapshot,
  { action, parameters }: RecipeCommand,
  commandId: string,
  target: FoundTarget | undefined,
  to: FoundTarget | undefined,
): PlannedCommand {
  const [found, foundTo] = [target, to] as (Found | undefined)[];
  const within = found === undefined ? undefined : placeWordsOfRef(snapshot, found.ref);
  return {
    commandId,
    action,
    parameters: {
      ...parameters,
      ...(found === undefined ? {} : { selector: selectorText(found.target) }),
      ...(foundTo === undefined ? {} : { toSelector: selectorText(foundTo.target) }),
    },
    ...(found === undefined ? {} : { target: found.target }),
    ...(within === undefined ? {} : { within }),
    ...(foundTo === undefined ? {} : { toTarget: foundTo.target }),
  };
}

/** The marks that the elements have now: where one was healed, the next version has them. */
function toSighted(
  snapshot: PageSnapshot,
  { target: wanted, chosenAmong }: RecipeCommand,
  target: FoundTarget | undefined,
  to: FoundTarget | undefined,
): SightedCommand {
  const [found, foundTo] = [target, to] as (Found | undefined)[];
  const marks = found === undefined ? undefined : marksOf(snapshot, found.place, found.target);
  return {
    ...(marks === undefined ? {} : { target: wanted?.name === '' ? { ...marks, name: '' } : marks }),
    ...(foundTo === undefined ? {} : { toTarget: marksOf(snapshot, foundTo.place, foundTo.target) }),
    ...(chosenAmong === undefined ? {} : { chosenAmong }),
  };
}
