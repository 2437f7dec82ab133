import { canonicalJson } from '../../../contracts/json';
import { EFFECT_CLASS } from '../../../contracts/commands/commands';
import type { PlannedCommand } from '../../../contracts/commands/planned-command';
import { toPagePattern } from '../../../contracts/recipes/page-pattern';
import type { RecipeRound } from '../../../contracts/recipes/recipe';
import type { Shown, SightedCommand, Sighting } from '../../../contracts/recipes/sighting';
import type { ReplyRow } from '../../../store/models/step-memory';
import { alignParts, type AlignedPart } from './align-parts';
import { partOf, roundOf, type StepOfRound } from './learn-round';
import type { StepPart } from './step-parts';

interface Step extends StepOfRound {
  replies: readonly ReplyRow[];
  seenAfter: Sighting | undefined;
}

/** One command with the reply that it was given in. */
interface Done {
  planned: PlannedCommand;
  sighted: SightedCommand;
  row: ReplyRow;
  /** The commands of the reply before it. */
  before: readonly PlannedCommand[];
  isLastOfRow: boolean;
}

/**
 * The rounds of a step with parts that depend on the page. Undefined where its commands are not those that the words ask for,
 * or where what they depend on was not seen as the words have it at the time.
 */
export function conditionalRounds(
  step: Step,
  parts: readonly StepPart[],
  acting: readonly ReplyRow[],
): RecipeRound[] | undefined {
  const done = commandsOf(parts, acting);
  const aligned = alignParts(
    parts,
    done.map(({ planned, sighted }) => ({ ...planned, target: sighted.target })),
  );
  const rounds = aligned?.map((part) => roundsOfPart(step, done, part));
  return rounds === undefined || rounds.includes(undefined) ? undefined : (rounds as RecipeRound[][]).flat();
}

/** Commands that a model looked or waited with, unasked, are none of the step. */
function commandsOf(parts: readonly StepPart[], acting: readonly ReplyRow[]): Done[] {
  const awaited = parts.flatMap(({ intent }) => (intent.kind === 'wait' ? [intent.text] : []));
  const isKept = ({ action, parameters }: PlannedCommand) =>
    action === 'WAIT_FOR' ? awaited.includes(parameters.text) : action !== 'GET_DOM';
  return acting.flatMap((row) => {
    const kept = row.commands.filter(isKept);
    return kept.map((planned, at) => ({
      planned,
      sighted: row.sighting?.commands[row.commands.indexOf(planned)] ?? {},
      row,
      before: kept.slice(0, at),
      isLastOfRow: at === kept.length - 1,
    }));
  });
}

function roundsOfPart(
  step: Step,
  all: readonly Done[],
  { part, index, from, to }: AlignedPart,
): RecipeRound[] | undefined {
  const done = all.slice(from, to);
  const condition = part.when ?? part.until;
  const look = lookAt(step, all[from]);
  if (condition === undefined) return plainRounds(step, done, part.isJoined);
  if (look === undefined) return undefined;
  const shown = look.conditions?.[index];
  if (part.until !== undefined) return repetition(step, part, index, done, look);
  if (done.length === 0) return shown === 'no' ? [unknownRound(step, look, part)] : undefined;
  if (shown !== 'yes') return undefined;
  const isOver = seenAfter(step, done.at(-1)!)?.conditions?.[index] === 'no';
  const [first, ...others] = plainRounds(step, done, undefined, isOver) ?? [];
  if (first === undefined) return undefined;
  const isOnly = isOver && others.length === 0;
  const after = { ...first.after, ...(isOnly ? { isOver: true as const } : {}) };
  return [{ ...first, after, when: part.when! }, ...others.map((round) => ({ ...round, isJoined: true as const }))];
}

/**
 * What was seen when it was decided about a part: by the reply of its first command, or else of the next command after it, or
 * the last of the step. Undefined where something that may have changed the page ran in that reply before.
 */
function lookAt({ replies }: Step, next: Done | undefined): Sighting | undefined {
  if (next === undefined) return replies.at(-1)?.sighting;
  return next.before.some(mayChangePage) ? undefined : next.row.sighting;
}

function mayChangePage({ action }: PlannedCommand): boolean {
  return EFFECT_CLASS[action] === 'commit' || action === 'OPEN_PAGE';
}

/** What the next reply saw; undefined where further commands ran before it. */
function seenAfter({ replies, seenAfter: after }: Step, { row, isLastOfRow }: Done): Sighting | undefined {
  return isLastOfRow ? (replies[replies.indexOf(row) + 1]?.sighting ?? after) : undefined;
}

function plainRounds(
  step: Step,
  done: readonly Done[],
  isJoined: true | undefined,
  hasShown = false,
): RecipeRound[] | undefined {
  const rows = [...Map.groupBy(done, ({ row }) => row).values()];
  const rounds = rows.map((own) => {
    const { row } = own[0]!;
    const last = own.at(-1)!;
    if (row.sighting === undefined) return undefined;
    const round = roundOf(step, {
      commands: own.map(({ planned }) => planned),
      sighted: own.map(({ sighted }) => sighted),
      parts: own.map(({ planned }) => partOf(row, planned)),
      before: row.sighting,
      seen: seenAfter(step, last),
      hasShown: hasShown || !last.isLastOfRow,
    });
    return round && { ...round, ...(isJoined === undefined ? {} : { isJoined }) };
  });
  return rounds.includes(undefined) ? undefined : (rounds as RecipeRound[]);
}

/** Of a part that had not to be done: what to do, where it has, is not known. */
function unknownRound({ values }: Step, { url }: Sighting, { when, until, most }: StepPart): RecipeRound {
  const page = toPagePattern(url, values);
  return {
    page,
    commands: [],
    after: { page, texts: [], requests: [] },
    ...(when === undefined ? {} : { when }),
    ...(until === undefined ? {} : { until }),
    ...(most === undefined ? {} : { most }),
  };
}

/** One command, as often as it ran: each time on a look that did not show the end, and the last time before one that did. */
function repetition(
  step: Step,
  part: StepPart,
  index: number,
  done: readonly Done[],
  look: Sighting,
): RecipeRound[] | undefined {
  const { until, most } = part;
  const shownTo = (sighting: Sighting | undefined): Shown | undefined => sighting?.conditions?.[index];
  const last = done.at(-1);
  if (last === undefined) return shownTo(look) === 'yes' ? [unknownRound(step, look, part)] : undefined;
  const rounds = done.map((each) => {
    const { row, planned, sighted } = each;
    const hasShown = hasChanged(step, row);
    if (row.sighting === undefined || each.before.length > 0 || !each.isLastOfRow) return undefined;
    if (shownTo(row.sighting) !== 'no' || !hasShown) return undefined;
    return roundOf(step, {
      commands: [planned],
      sighted: [sighted],
      parts: [partOf(row, planned)],
      before: row.sighting,
      seen: seenAfter(step, each),
      hasShown,
    });
  });
  const [first] = rounds;
  if (first === undefined || rounds.includes(undefined) || shownTo(seenAfter(step, last)) !== 'yes') return undefined;
  const each = rounds as RecipeRound[];
  const isAlike = each.every(
    (round, at) =>
      round.page === first.page &&
      isSameCommand(round, first) &&
      (at === each.length - 1 || round.after.page === first.page),
  );
  if (!isAlike) return undefined;
  // What is new differs from one time to the next, and requests in a regular beat are no evidence of a command.
  const after = { page: each.at(-1)!.after.page, texts: [], requests: [] };
  return [{ ...first, after, until: until!, ...(most === undefined ? {} : { most }) }];
}

function hasChanged({ replies }: Step, row: ReplyRow): boolean {
  const next = replies[replies.indexOf(row) + 1];
  return next?.snapshotDigest !== undefined && next.snapshotDigest !== row.snapshotDigest;
}

function isSameCommand({ commands: [one] }: RecipeRound, { commands: [other] }: RecipeRound): boolean {
  const marksOf = (command: typeof one) => [
    command?.action,
    command?.parameters,
    command?.target?.selector,
    command?.target?.of,
    command?.target?.around,
  ];
  return canonicalJson(marksOf(one)) === canonicalJson(marksOf(other));
}
