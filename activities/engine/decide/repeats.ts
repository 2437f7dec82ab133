import { EFFECT_CLASS } from '../../../contracts/commands/commands';
import { isEffectLost, pageStatus } from '../../../contracts/commands/evidence';
import type { PlannedCommand } from '../../../contracts/commands/planned-command';
import type { JournalEntry } from '../../../store/journal/journal';
import type { ReplyRow } from '../../../store/models/step-memory';
import type { StepHistory } from './decision-request';

/** Failures of the browser or the network. They say nothing about the page, so the command may run again. */
const ENVIRONMENT_FAILURE = /^(?:EX001|EX004|EX005|TL002|CM\d|SP\d)/;
/** The most times that the same address is opened from the same page. */
const MOST_OPENINGS = 3;

/**
 * Cuts a reply's commands before the first that repeats a command of this step that was done or failed on a page with the
 * same content: a repetition leads nowhere, and a commit could happen twice. The next request reports the cut.
 */
export function withoutRepeats(row: ReplyRow, history: StepHistory, snapshotDigest: string): ReplyRow {
  const repeatAt = row.commands.findIndex((command) => isRepeat(command, row.turn, history, snapshotDigest));
  if (repeatAt === -1) return { ...row, snapshotDigest };
  return { ...row, snapshotDigest, repeatAt, commands: row.commands.slice(0, repeatAt) };
}

/**
 * Whether all commands of a reply were done before in this step, and would change nothing: where they were to complete the step,
 * it is complete. A commit that left the page as it was says nothing of the kind: the page may have refused it.
 */
export function areAllDone(commands: readonly PlannedCommand[], history: StepHistory, page: PageNow): boolean {
  const isConclusive = commands.length > 0 && commands.every(({ action }) => EFFECT_CLASS[action] !== 'commit');
  return isConclusive && commands.every((command) => isDoneBefore(command, history, page));
}

interface PageNow {
  digest: string;
  url: string;
  turn: number;
}

/** An address that was opened, and not answered with an error, is where the page is; of others the page reads as it did when they were given. */
function isDoneBefore(command: PlannedCommand, { replies, journal, lost }: StepHistory, page: PageNow): boolean {
  const digestOf = new Map(replies.map((reply) => [reply.turn, reply.snapshotDigest]));
  return journal.some((entry) => {
    if (entry.turn >= page.turn || entry.status !== 'done' || !isSame(command, entry)) return false;
    if (!isStillInEffect(entry, lost)) return false;
    const { evidence } = entry;
    if (command.action === 'OPEN_PAGE' && (pageStatus(evidence) ?? 0) >= 400) return false;
    const isThere =
      command.action === 'OPEN_PAGE' &&
      evidence !== undefined &&
      evidence.kind !== 'executed' &&
      evidence.urlAfter === page.url;
    return isThere || digestOf.get(entry.turn) === page.digest;
  });
}

function isRepeat(
  command: PlannedCommand,
  turn: number,
  { replies, journal, lost }: StepHistory,
  snapshotDigest: string,
): boolean {
  if (EFFECT_CLASS[command.action] === 'pure') return false;
  const pages = new Map(replies.map((reply) => [reply.turn, reply.snapshotDigest]));
  const earlier = journal.filter(
    (entry) =>
      entry.turn < turn &&
      pages.get(entry.turn) === snapshotDigest &&
      isStillInEffect(entry, lost) &&
      isSame(command, entry),
  );
  return earlier.length >= (command.action === 'OPEN_PAGE' ? MOST_OPENINGS : 1);
}

/** False for a command that was lost with its browser or never happened: it may run again. */
function isStillInEffect({ commandId, status, error, evidence }: JournalEntry, lost: ReadonlySet<string>): boolean {
  if (lost.has(commandId) || isEffectLost(evidence)) return false;
  return status === 'done' || (status === 'failed' && !ENVIRONMENT_FAILURE.test(error?.code ?? ''));
}

function isSame({ action, parameters }: PlannedCommand, entry: JournalEntry): boolean {
  return action === entry.action && textOf(parameters) === textOf(entry.parameters);
}

/** Serializes with sorted members, because the database changes their order. */
function textOf(parameters: object): string {
  return JSON.stringify(Object.entries(parameters).sort(([one], [other]) => (one < other ? -1 : 1)));
}
