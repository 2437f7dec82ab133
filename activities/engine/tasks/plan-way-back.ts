import { walkNodes, type PageSnapshot } from '../../../contracts/browsers/page-snapshot';
import type { Target, PlannedCommand } from '../../../contracts/commands/planned-command';
import type { JournalEntry } from '../../../store/journal/journal';
import type { Store } from '../../../store/store';
import type { PlanWayBackInput, WayBack } from '../../signatures/task-activities';
import { pressedLabel } from '../../deeds/judgement';
import { whyNamed } from '../../deeds/names/name-deed';

const REPETITION = /\.back\d+$/;

/**
 * Finds the next command on the way to a dialog, a menu or a step that a restored page does not show: the newest of the
 * session's own commands since its page was opened whose element is there now. Only clicks and hovers that sent nothing,
 * asked nothing and led nowhere are repeated, each once, and as few as possible.
 */
export async function planWayBack(
  { store }: { store: Store },
  { sessionId, after, commandId }: PlanWayBackInput,
): Promise<WayBack> {
  const [entries, snapshot] = await Promise.all([store.journal.ofSession(sessionId), store.memory.snapshot(sessionId)]);
  if (snapshot === null) return {};
  // A repetition is no step of the way.
  const isRepetition = (entry: JournalEntry): boolean => REPETITION.test(entry.commandId);
  const done = entries.filter((entry) => entry.status === 'done' && !isRepetition(entry));
  const opened = done.findLastIndex(hasNavigated);
  const begin =
    Math.max(
      opened,
      done.findIndex((entry) => entry.commandId === after),
    ) + 1;
  const way = done.slice(begin).filter((entry) => isHarmless(entry) && isOn(snapshot, entry));
  const next = way.at(-1);
  if (next === undefined) return {};
  const { action, parameters, target } = next;
  const repetitions = entries.filter((entry) => isRepetition(entry) && entry.commandId.startsWith(`${commandId}.`));
  const id = `${commandId}.back${repetitions.length + 1}`;
  const command: PlannedCommand = { commandId: id, action, parameters, target: target as unknown as Target };
  return { command, repeats: next.commandId };
}

function hasNavigated({ evidence }: JournalEntry): boolean {
  if (evidence?.kind !== 'observed') return evidence !== undefined;
  return evidence.navigations.length > 0 || evidence.urlBefore !== evidence.urlAfter;
}

function isHarmless({ action, target, evidence }: JournalEntry): boolean {
  if (!['CLICK_ELEMENT', 'HOVER'].includes(action) || target === undefined || evidence?.kind !== 'observed')
    return false;
  const { name } = target as unknown as Target;
  return evidence.requests.length === 0 && evidence.dialogs.length === 0 && whyNamed(name) === undefined;
}

function isOn({ nodes }: PageSnapshot, { target }: JournalEntry): boolean {
  const { role, name, of } = target as unknown as Target;
  const equals = [...walkNodes(nodes)].filter(({ node }) => node.role === role && pressedLabel(node) === name);
  return equals.length === of;
}
