import type { PlannedCommand } from '../../../contracts/commands/planned-command';
import type { JournalEntry } from '../../../store/journal/journal';
import type { KeeperClient } from '../attach/keeper-client';
import { EngineError } from '../../activity/failures';
import type { BatchContext } from './batch-context';
import { closeIntent } from './outcomes/close-intent';
import { resolveCommit } from './resume-command';

/**
 * Closes the commits of a step that an earlier batch left open, as when its activity failed for good: no command acts while
 * one of them is. Resolves to whether the outcome of one is unknown, so that the model has to judge it first. A call of a
 * task is closed by its workflow instead, which asks a person.
 */
export async function closeOpenCommits(
  batch: BatchContext,
  keeper: () => Promise<KeeperClient>,
  commands: readonly PlannedCommand[],
  journal: readonly JournalEntry[],
): Promise<boolean> {
  if (commands.length === 0 || commands.some(({ call }) => call !== undefined)) return false;
  const own = new Set(commands.map(({ commandId }) => commandId));
  let isUnknown = false;
  for (const entry of journal.filter(({ commandId }) => !own.has(commandId))) {
    const { commandId, action, parameters, turn } = entry;
    const context = { ...batch, turn };
    const command = { commandId, action, parameters };
    const resolved = await resolveCommit(context, await keeper(), command, entry, {
      written: Promise.resolve(undefined),
      captured: Promise.resolve(),
    });
    if (resolved === 'did-not-happen') {
      const message = `${action} was not sent: its worker was lost before.`;
      await closeIntent(context, command, 'failed', new EngineError('EX001', message));
    } else {
      await resolved.nextIntent.written;
      isUnknown ||= resolved.outcome.status === 'unknown';
    }
  }
  return isUnknown;
}
