import type { PlannedCommand } from '../../../../contracts/commands/planned-command';
import type { JournalEntry } from '../../../../store/journal/journal';
import type { KeeperClient } from '../../attach/keeper-client';
import { captureDom } from '../../pages/capture';
import type { BatchContext } from '../batch-context';
import { blockedPage } from '../network-guard';
import type { CommandRun } from '../run-command';
import { recordOutcome } from './record-outcome';

/**
 * Records a commit that had been executed, in this very Chrome, when its worker died before the outcome was written. Its
 * evidence is the keeper's; its duration is the time that this takes, because the original one died with the worker.
 */
export async function recordExecutedCommit(
  context: BatchContext,
  keeper: KeeperClient,
  command: PlannedCommand,
  { intendedAt, pageUrl }: JournalEntry,
): Promise<CommandRun> {
  const { attachment, values, sessionId } = context;
  const startedAt = performance.now();
  attachment.watch.startCollecting();
  await attachment.watch.settle(attachment.page, context.signal);
  const { dialogs, requests } = await keeper.evidence(sessionId, intendedAt, attachment.browserId);
  const urlAfter = attachment.page.url();
  const isSamePage = values.redact(urlAfter) === pageUrl;
  return recordOutcome(context, command, {
    result: undefined,
    error: undefined,
    captured: captureDom(attachment, values),
    blockedNavigation: blockedPage(context.network, requests),
    evidence: {
      ...attachment.watch.collected(),
      requests,
      dialogs: dialogs.map(({ type, message, accepted }) => ({ type, message, accepted: accepted === true })),
      navigations: isSamePage ? [] : [urlAfter],
      urlBefore: isSamePage ? urlAfter : pageUrl,
      urlAfter,
    },
    durationMs: Math.round(performance.now() - startedAt),
    noted: Promise.resolve(),
  });
}
