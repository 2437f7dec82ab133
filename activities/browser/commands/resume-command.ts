import type { PlannedCommand } from '../../../contracts/commands/planned-command';
import { COMMANDS, EFFECT_CLASS } from '../../../contracts/commands/commands';
import { blockedNavigationOf } from '../../../contracts/commands/evidence';
import { StoreRefusal } from '../../../store/database/refusals';
import type { JournalEntry } from '../../../store/journal/journal';
import type { KeeperClient } from '../attach/keeper-client';
import type { BatchCommand, BatchContext, NextIntent } from './batch-context';
import { handleCommand } from './handlers';
import { differencesOf } from '../../recorded/differences';
import { stepVerdictOf } from '../../recorded/step-verdict';
import { recordExecutedCommit } from './outcomes/record-executed-commit';
import type { CommandReport } from './outcomes/record-outcome';
import { resolveRepeatable } from './outcomes/resolve-repeatable';
import { closeUnanswered, resolveIntent } from './outcomes/resolve-intent';
import { CommitUnansweredError } from './commit-unanswered';
import { openPageOf } from './execute';
import { runCommand, type CommandRun } from './run-command';
import { isRepeatable } from './write-intent';

/**
 * Runs a command as far as its journal entry leaves something to do: a recorded outcome is reported again, an intended
 * commit is resolved first, everything else runs.
 */
export async function resumeCommand(
  context: BatchContext,
  keeper: () => Promise<KeeperClient>,
  batchCommand: BatchCommand,
  entry: JournalEntry | undefined,
  previous: NextIntent,
  because?: string,
): Promise<CommandRun | 'interrupted'> {
  const { command } = batchCommand;
  if (entry !== undefined && entry.status !== 'intended') {
    await restoreDialogAnswer(context, command, entry);
    return { outcome: reportOf(entry), nextIntent: previous };
  }
  if (entry === undefined || isRepeatable(command)) await context.idempotencyKeys?.clear();
  await context.deeds.clear();
  if (entry !== undefined) {
    const resolve = isRepeatable(command) ? resolveOther : resolveCommit;
    const resolved = await resolve(context, await keeper(), command, entry, previous, because);
    if (resolved !== 'did-not-happen') return resolved;
  }
  try {
    return await runCommand(context, keeper, batchCommand, previous);
  } catch (refusal) {
    // The pause was written while this worker was between two commands.
    if (refusal instanceof StoreRefusal && refusal.reason === 'paused') return 'interrupted';
    if (!(refusal instanceof CommitUnansweredError)) throw refusal;
    // As if its worker had died: reported as failed, the commit would be sent once more.
    const [open] = await context.store.journal.find(context.sessionId, [command.commandId]);
    return await resumeCommand(context, keeper, batchCommand, open, previous, refusal.message);
  }
}

/** Finds out whether an intended command that is no commit may run again. */
async function resolveOther(
  context: BatchContext,
  keeper: KeeperClient,
  command: PlannedCommand,
  entry: JournalEntry,
  previous: NextIntent,
): Promise<CommandRun | 'did-not-happen'> {
  if (EFFECT_CLASS[command.action] === 'pure') return 'did-not-happen';
  const resolution = await resolveRepeatable(context, keeper, command, entry);
  if (resolution === 'harmless') return 'did-not-happen';
  if (resolution === 'done') return await recordExecutedCommit(context, keeper, command, entry);
  return { outcome: { commandId: command.commandId, ...resolution }, nextIntent: previous };
}

/** Finds out what became of an intended commit; `because` says why its end is not known, where that is known. */
export async function resolveCommit(
  context: BatchContext,
  keeper: KeeperClient,
  command: PlannedCommand,
  entry: JournalEntry,
  previous: NextIntent,
  because?: string,
): Promise<CommandRun | 'did-not-happen'> {
  if (entry.effect === 'pure') return 'did-not-happen';
  const arrival = await openPageOf(context, () => Promise.resolve(keeper), command);
  if (entry.evidence?.kind === 'executed' && arrival.kind !== 'unanswered') {
    await context.idempotencyKeys?.end();
    return await recordExecutedCommit(context, keeper, command, entry);
  }
  const isUnanswered = arrival.kind === 'unanswered';
  const resolution = isUnanswered
    ? await closeUnanswered(context, keeper, command, entry)
    : await resolveIntent(context, keeper, command, entry, because);
  if (resolution === 'did-not-happen') return resolution;
  await context.idempotencyKeys?.end();
  const { code, message } = resolution;
  return { outcome: { commandId: command.commandId, status: 'unknown', code, message }, nextIntent: previous };
}

function reportOf({ commandId, status, error, evidence, domId, response }: JournalEntry): CommandReport {
  const differences = differencesOf(error);
  const endsStep = stepVerdictOf(error);
  return {
    commandId,
    status: status === 'intended' ? 'unknown' : status,
    code: error?.code,
    message: error?.message,
    ...(error?.details?.['listsChoices'] === true ? { listsChoices: true } : {}),
    ...(differences === undefined ? {} : { differences }),
    ...(endsStep === undefined ? {} : { endsStep }),
    ...(blockedNavigationOf(evidence) === undefined ? {} : { isNavigationBlocked: true }),
    ...(response === undefined ? {} : { page: { screenshotId: response.screenshotId, domId } }),
  };
}

/**
 * The answer that HANDLE_DIALOG gave lives in the worker: a new worker gives it again, as long as the command that it was
 * given for is still to come.
 */
async function restoreDialogAnswer(
  batch: BatchContext,
  { commandId, action, parameters }: PlannedCommand,
  { status }: JournalEntry,
): Promise<void> {
  const { attachment, values, stepIndex, commandTimeoutMs, signal } = batch;
  attachment.watch.dialogAnswers.begin({ commandId, stepIndex }, COMMANDS[action].onlyLooks);
  if (action !== 'HANDLE_DIALOG' || status !== 'done') return;
  await handleCommand(action, {
    batch,
    commandId,
    attachment,
    page: attachment.page,
    element: undefined,
    toElement: undefined,
    parameters: values.fill(parameters).parameters,
    secrets: [],
    timeoutMs: commandTimeoutMs,
    signal,
  });
}
