import { EFFECT_CLASS } from '../../../../contracts/commands/commands';
import type { JournalEntry } from '../../../../store/journal/journal';
import type { Attachment } from '../../attach/attachment';
import type { KeeperClient } from '../../attach/keeper-client';
import { EngineError } from '../../../activity/failures';
import { cappedArguments } from '../../../engine/tools/planning/arguments';
import { guardOf } from '../batch-context';
import { closeIntent, type CloseContext } from './close-intent';
import { describeEvidenceSince } from './evidence-text';

export interface LossContext extends Omit<CloseContext, 'stepIndex' | 'turn'> {
  keeper: KeeperClient;
  /** On the new browser. */
  attachment: Attachment;
}

/** The Chrome that was lost, whose keeper still has its evidence, and the step that was running in it. */
export interface LostBrowser {
  browserId: string | undefined;
  stepIndex: number;
}

/**
 * Closes the command that was under way when the browser was lost: a commit is unknown, and so is what has led to a request
 * that may have changed something; any other has failed. A done
 * commit stays done. What was done after it may be missing from the new page, so its entries are marked as lost, unless
 * the page `hasAllChanges`.
 */
export async function closeLostCommands(context: LossContext, lost: LostBrowser, hasAllChanges = false): Promise<void> {
  const { store, sessionId } = context;
  const entries = await store.journal.ofStep(sessionId, lost.stepIndex);
  for (const entry of entries) if (entry.status === 'intended') await closeInterrupted(context, lost, entry);
  if (hasAllChanges) return;
  const lastCommit = entries.findLastIndex(({ effect, status }) => effect === 'commit' && status !== 'failed');
  const undone = entries
    .slice(lastCommit + 1)
    .filter(({ action, status }) => EFFECT_CLASS[action] === 'idempotent' && status === 'done');
  await store.journal.markLost(
    sessionId,
    guardOf(context),
    undone.map(({ commandId }) => commandId),
    'browser',
  );
}

async function closeInterrupted(context: LossContext, lost: LostBrowser, entry: JournalEntry): Promise<void> {
  const { store, keeper, sessionId, attachment, values } = context;
  const { commandId, action, parameters, turn, effect, pageUrl, intendedAt } = entry;
  const evidence = effect === 'pure' ? undefined : await keeper.evidence(sessionId, intendedAt, lost.browserId);
  const isUnknown = effect === 'commit' || evidence?.requests.some(({ method }) => method !== 'GET') === true;
  const seen = isUnknown ? evidence : undefined;
  const message =
    seen === undefined
      ? `The browser was lost while ${action} was under way.`
      : `The browser was lost while ${action} was under way; nobody knows whether it happened, and it is not repeated. ${describeEvidenceSince(seen, intendedAt)} Its last moments may be missing.`;
  const toolCall = await store.toolCalls.ofCommand(sessionId, commandId);
  const call = toolCall && {
    callId: toolCall.callId,
    toolName: toolCall.name,
    args: cappedArguments(values.redactAll(toolCall.args)),
  };
  await closeIntent(
    { ...context, stepIndex: lost.stepIndex, turn },
    { commandId, action, parameters, ...(call === null ? {} : { call }) },
    isUnknown ? 'unknown' : 'failed',
    new EngineError('EX001', message, { details: isUnknown ? { outcome: 'unknown' } : {} }),
    { kind: 'interrupted', lostWith: 'browser', urlBefore: pageUrl, urlAfter: attachment.page.url(), ...seen },
  );
}
