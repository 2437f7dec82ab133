import type { Page } from 'playwright';
import { EFFECT_CLASS } from '../../../../contracts/commands/commands';
import type { JournalEntry } from '../../../../store/journal/journal';
import type { Attachment } from '../../attach/attachment';
import type { KeeperClient } from '../../attach/keeper-client';
import { withinMs } from '../../../../runtime/time-limit';
import { EngineError } from '../../../activity/failures';
import { cappedArguments } from '../../../engine/tools/planning/arguments';
import { guardOf } from '../batch-context';
import { closeIntent, type CloseContext } from './close-intent';
import { describeEvidenceSince } from './evidence-text';

const ANSWER_MS = 3000;

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
 * that may have changed something; any other has failed, and so has a sign-in that the new page asks for again. A done
 * commit stays done. What was done after it may be missing from the new page, so its entries are marked as lost, unless
 * the page `hasAllChanges`.
 */
export async function closeLostCommands(context: LossContext, lost: LostBrowser, hasAllChanges = false): Promise<void> {
  const { store, sessionId } = context;
  const entries = await store.journal.ofStep(sessionId, lost.stepIndex);
  const ended = new Map<string, 'unknown' | 'failed'>();
  for (const entry of entries)
    if (entry.status === 'intended') ended.set(entry.commandId, await closeInterrupted(context, lost, entry));
  if (hasAllChanges) return;
  const lastCommit = entries.findLastIndex(
    ({ commandId, effect, status }) => effect === 'commit' && (ended.get(commandId) ?? status) !== 'failed',
  );
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

const SIGN_IN = /^(?:log|sign)[\s-]?(?:in|on)$/i;

const signsIn = ({ target }: JournalEntry): boolean =>
  typeof target?.['name'] === 'string' && SIGN_IN.test(target['name'].trim());

/** What a sign-in has changed is in the browser that is gone, where the page of the next one asks for it again. */
async function asksToSignIn(page: Page): Promise<boolean> {
  const asking = page.locator('input[type=password]:visible').count();
  return (await withinMs(ANSWER_MS, asking).catch(() => 0)) > 0;
}

async function closeInterrupted(
  context: LossContext,
  lost: LostBrowser,
  entry: JournalEntry,
): Promise<'unknown' | 'failed'> {
  const { store, keeper, sessionId, attachment, values } = context;
  const { commandId, action, parameters, turn, effect, pageUrl, intendedAt } = entry;
  const evidence = effect === 'pure' ? undefined : await keeper.evidence(sessionId, intendedAt, lost.browserId);
  const isLostSignIn = effect === 'commit' && signsIn(entry) && (await asksToSignIn(attachment.page));
  const mayHaveChanged = effect === 'commit' || evidence?.requests.some(({ method }) => method !== 'GET') === true;
  const isUnknown = mayHaveChanged && !isLostSignIn;
  const seen = isUnknown ? evidence : undefined;
  const message =
    seen === undefined
      ? `The browser was lost while ${action} was under way.${isLostSignIn ? ' What it had signed in to asks for that again.' : ''}`
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
  return isUnknown ? 'unknown' : 'failed';
}
