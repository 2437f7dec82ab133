import { EFFECT_CLASS } from '../../../contracts/commands/commands';
import { isLostWithBrowser } from '../../../contracts/commands/evidence';
import type { PlannedCommand } from '../../../contracts/commands/planned-command';
import type { JournalEntry } from '../../../store/journal/journal';
import type { ReplyRow } from '../../../store/models/step-memory';
import type { StepHistory } from './decision-request';

/** Failures of the browser or the network: the page did not refuse, so trying once more is no repetition. */
const ENVIRONMENT_FAILURE = /^(?:EX001|EX004|EX005|CM\d|SP\d)/;
/** A page may come up at the second try; not at the fourth. */
const MOST_OPENINGS = 3;

/**
 * Cuts a reply's commands before the first that would only do again what was done, or what failed, in this step on a
 * page that reads the same: it leads nowhere, and a commit could happen twice. The model is told, and decides anew.
 */
export function withoutRepeats(row: ReplyRow, past: StepHistory, lookDigest: string): ReplyRow {
  const repeatAt = row.commands.findIndex((command) => isRepeat(command, row.turn, past, lookDigest));
  if (repeatAt === -1) return { ...row, snapshotDigest: lookDigest };
  return { ...row, snapshotDigest: lookDigest, repeatAt, commands: row.commands.slice(0, repeatAt) };
}

function isRepeat(
  command: PlannedCommand,
  turn: number,
  { replies, journal, lost }: StepHistory,
  lookDigest: string,
): boolean {
  if (EFFECT_CLASS[command.action] === 'pure') return false;
  const pages = new Map(replies.map((reply) => [reply.turn, reply.snapshotDigest]));
  const earlier = journal.filter(
    (entry) =>
      entry.turn < turn &&
      pages.get(entry.turn) === lookDigest &&
      isStillInEffect(entry, lost) &&
      isSame(command, entry),
  );
  return earlier.length >= (command.action === 'OPEN_PAGE' ? MOST_OPENINGS : 1);
}

/** What a lost browser took with it, and what never happened, may be done again. */
function isStillInEffect({ commandId, status, error, evidence }: JournalEntry, lost: ReadonlySet<string>): boolean {
  if (lost.has(commandId) || isLostWithBrowser(evidence)) return false;
  return status === 'done' || (status === 'failed' && !ENVIRONMENT_FAILURE.test(error?.code ?? ''));
}

function isSame({ action, parameters }: PlannedCommand, entry: JournalEntry): boolean {
  return action === entry.action && textOf(parameters) === textOf(entry.parameters);
}

/** A database keeps the members in an order of its own. */
function textOf(parameters: object): string {
  return JSON.stringify(Object.entries(parameters).sort(([one], [other]) => (one < other ? -1 : 1)));
}
