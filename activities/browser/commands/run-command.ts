import { COMMANDS } from '../../../contracts/commands/commands';
import type { KeeperClient } from '../attach/keeper-client';
import { captureDom } from '../pages/capture';
import { boxInView } from '../pages/element-box';
import type { BatchCommand, BatchContext, NextIntent } from './batch-context';
import { execute, type Execution } from './execute';
import { recordOutcome, type CommandReport } from './outcomes/record-outcome';
import { isRepeatable, mayPrecedePreparation, toIntent, writeIntent } from './write-intent';

/** What running one command yields: its outcome, being written, and what the next command waits for. */
export interface CommandRun {
  outcome: CommandReport;
  nextIntent: NextIntent;
}

/**
 * Runs one command: its intent into the journal, the action, its outcome with evidence into the journal. While the
 * outcome is being written the next command already searches for its element.
 *
 * Resolves to `interrupted` when a pause stopped it before it was through: the intent stays open, and the command runs
 * again after the pause. Rejects only when nothing can be said about the command: the browser is gone, the store refuses,
 * the database is away, or a commit has no answer (CommitUnansweredError).
 */
export async function runCommand(
  context: BatchContext,
  keeper: () => Promise<KeeperClient>,
  batchCommand: BatchCommand,
  previous: NextIntent,
): Promise<CommandRun | 'interrupted'> {
  const { store, attachment, values, sessionId, epoch } = context;
  const { command, position, next } = batchCommand;
  const isCommit = !isRepeatable(command);
  // A pause stops a repeatable command at once, and never a commit.
  const signal = isCommit ? new AbortController().signal : context.signal;
  const startedAt = performance.now();
  const pageBefore = attachment.page;
  const urlBefore = pageBefore.url();
  attachment.watch.startCollecting();
  const { onlyLooks } = COMMANDS[command.action];
  attachment.watch.dialogAnswers.begin({ commandId: command.commandId, stepIndex: context.stepIndex }, onlyLooks);

  const prepared = await writeIntent(context, batchCommand, urlBefore, previous, signal);
  const { element } = prepared.status === 'fulfilled' ? prepared.value : {};
  // Asked for before it acts, and waited for by nobody: the page may be left.
  const box = isCommit && element !== undefined && context.screenshotsEnabled ? boxInView(element) : undefined;
  let execution: Execution | 'interrupted';
  try {
    execution = await execute(context, keeper, command, prepared, signal);
  } finally {
    // Where it failed before its end was asked for; the next command ends it otherwise.
    await context.deeds.clear().catch(() => {});
  }
  if (execution === 'interrupted') return execution;
  if (isCommit) await context.idempotencyKeys?.end();
  // Before the outcome is: a worker that takes over after it continues in this tab.
  if (attachment.page !== pageBefore) await store.leases.setTarget(sessionId, epoch, await attachment.targetId());
  const urlAfter = attachment.page.url();
  const collected = attachment.watch.collected();
  const isSamePage = attachment.page === pageBefore && collected.navigations.length === 0;
  return recordOutcome(
    context,
    command,
    {
      ...execution,
      captured: execution.captured ?? captureDom(attachment, values),
      evidence: { ...collected, urlBefore, urlAfter },
      durationMs: Math.round(performance.now() - startedAt),
      ...(isSamePage ? { element } : { left: box && { url: urlBefore, box } }),
    },
    // One write instead of two.
    next !== undefined && mayPrecedePreparation(context, next)
      ? () => toIntent(context, next, position + 1, urlAfter)
      : undefined,
  );
}
