import type { CommandEvidence } from '../../../../contracts/commands/evidence';
import type { PlannedCommand } from '../../../../contracts/commands/planned-command';
import type { JournalEntry } from '../../../../store/journal/journal';
import type { Attachment } from '../../attach/attachment';
import type { KeeperClient } from '../../attach/keeper-client';
import { EngineError } from '../../../activity/failures';
import { readDelivery } from '../../targets/delivery-marker';
import { blockedPage } from '../network-guard';
import { closeIntent, type CloseContext } from './close-intent';
import { describeEvidenceSince } from './evidence-text';

const BACK_LIMIT_MS = 10_000;

export interface IntentContext extends CloseContext {
  attachment: Attachment;
  signal: AbortSignal;
}

/** What became of a commit whose end nobody saw; an unknown one as it was recorded. */
export type IntentResolution = 'did-not-happen' | { code: string; message: string };

/**
 * Finds out whether an intended commit happened. It did not if the document it was meant for is still there and has not
 * received its event: then it may run. Otherwise it is recorded as unknown with all evidence, and the model judges; the
 * engine never sends it a second time.
 */
export async function resolveIntent(
  context: IntentContext,
  keeper: KeeperClient,
  command: PlannedCommand,
  { intendedAt, pageUrl }: JournalEntry,
  because?: string,
): Promise<IntentResolution> {
  const { attachment, sessionId, signal } = context;
  // The response to its own request is the best evidence.
  await attachment.watch.waitForNavigationResponse(signal);
  const delivery = await readDelivery(attachment.context.pages(), command);
  if (delivery === 'undelivered') return 'did-not-happen';
  await attachment.watch.settle(attachment.page, signal);
  const seen = await keeper.evidence(sessionId, intendedAt, attachment.browserId);
  const evidence: UnobservedEvidence = {
    kind: 'unobserved',
    eventDelivered: delivery === 'delivered',
    isDocumentGone: delivery === 'gone',
    urlBefore: pageUrl,
    urlAfter: attachment.page.url(),
    blockedNavigation: blockedPage(attachment.access.policy, seen.requests),
    ...seen,
  };
  const why = because ?? `Nobody saw ${command.action} come to its end.`;
  const message = `${why} It is not repeated. ${summary(evidence, intendedAt)}`;
  const cause = new EngineError('TL004', message, { details: { outcome: 'unknown' } });
  return await closeIntent(context, command, 'unknown', cause, evidence);
}

/**
 * Records a commit whose request was under way when the connection of its browser broke, and leads back to the page that it
 * was made on: the model judges there. What was typed since the commit before is gone with that page.
 */
export async function closeUnanswered(
  context: IntentContext,
  keeper: KeeperClient,
  command: PlannedCommand,
  { intendedAt, pageUrl }: JournalEntry,
): Promise<Exclude<IntentResolution, 'did-not-happen'>> {
  const { attachment, sessionId } = context;
  const seen = await keeper.evidence(sessionId, intendedAt, attachment.browserId);
  const { page } = attachment;
  const urlAfter = page.url();
  // Chrome sends no form again on its way back.
  await page.goBack({ waitUntil: 'domcontentloaded', timeout: BACK_LIMIT_MS }).catch(() => {});
  const message = `The connection of the browser broke while ${command.action} was under way; nobody knows whether it happened, and it is not repeated. ${describeEvidenceSince(seen, intendedAt)}`;
  return await closeIntent(
    context,
    command,
    'unknown',
    new EngineError('TL004', message, { details: { outcome: 'unknown' } }),
    { kind: 'interrupted', lostWith: 'browser', urlBefore: pageUrl, urlAfter, ...seen },
  );
}

type UnobservedEvidence = Extract<CommandEvidence, { kind: 'unobserved' }>;

function summary(evidence: UnobservedEvidence, intendedAt: Date): string {
  const { eventDelivered, isDocumentGone, urlBefore, urlAfter } = evidence;
  return [
    eventDelivered ? 'The page has seen its event.' : '',
    isDocumentGone ? 'The document it was meant for is gone, or was never reached.' : '',
    urlBefore === urlAfter ? '' : `The page went from ${urlBefore} to ${urlAfter}.`,
    describeEvidenceSince(evidence, intendedAt),
  ]
    .filter((text) => text !== '')
    .join(' ');
}
