import type { SiteFinding } from '../../../contracts/sessions/site-check';
import { errorMessage } from '../../../contracts/errors/error-message';
import { faultPoint } from '../../../runtime/fault-point';
import type { ActivityCall } from '../../activity/activity';
import { writeOutbox } from '../../activity/write-outbox';
import { loadSessionValues, type SessionValues } from '../../secrets/session-values';
import type { LookAtSiteInput, LookAtSiteOutput } from '../../signatures/browser-activities';
import type { Attachment } from '../attach/attachment';
import type { BrowserDeps } from '../attach/browser-deps';
import { toFencingError } from '../attach/fencing';
import { asConnectionLoss, isTargetClosed, saidBy } from '../attach/playwright-errors';
import { EngineError } from '../../activity/failures';
import { captureScreenshot, newScreenshotId } from '../pages/capture';
import { allowNetwork } from './network-guard';
import { followLooks } from './follow-looks';
import { lookAtPage } from './look-at-page';

/** Opens what a check opens in another tab of the session's browser, and reads what it shows; a wait looks at the session's page. */
export async function lookAtSite(
  deps: BrowserDeps,
  input: LookAtSiteInput,
  call: ActivityCall,
): Promise<LookAtSiteOutput> {
  const { store, attachments, env } = deps;
  const { sessionId, executor } = input;
  await writeOutbox(store, sessionId, call.runId, input.outbox);
  if (attachments.isEnding()) return { lease: { ...input.lease, workerQueue: input.lease.hostQueue } };
  const holder = { ...call, knownEpoch: input.lease.epoch };
  const { attachment, lease } = await attachments.use(sessionId, holder, {
    timeoutMs: executor.timeoutMs,
    signal: call.signal,
    leavesWhenAborted: true,
  });
  try {
    const [values, network] = await Promise.all([
      loadSessionValues(store, sessionId, env),
      allowNetwork(sessionId, attachment, executor.network, attachments.keeper),
    ]);
    const { lines, wait } = input;
    const look = async (inTab: Attachment): Promise<SiteFinding | undefined> => {
      const context = { attachment: inTab, values, network, timeoutMs: executor.timeoutMs, signal: call.signal };
      const looking = wait === undefined ? followLooks(context, lines) : lookAtPage(context, lines[0]!, wait);
      const looked = await looking.catch((error: unknown) => failedLook(error, inTab, call.signal));
      faultPoint('during-look', sessionId);
      if (looked === undefined) return undefined;
      const screenshotId = executor.screenshotsEnabled ? await keepPicture(deps, input, inTab, values) : undefined;
      const finding: SiteFinding = { ...looked, url: inTab.page.url() };
      return values.redactAll({ ...finding, ...(screenshotId === undefined ? {} : { screenshotId }) });
    };
    const found = await (wait === undefined ? attachment.inOtherTab(look) : look(attachment));
    return { lease: attachments.leaseOf(attachment), ...(found === undefined ? {} : { found }) };
  } catch (error) {
    throw (await toFencingError(store, sessionId, lease.epoch, error)) ?? (await asConnectionLoss(error, attachment));
  } finally {
    attachments.leave(attachment);
  }
}

/** A page that can't be opened or read says nothing; undefined where the look was stopped. */
async function failedLook(
  error: unknown,
  attachment: Attachment,
  signal: AbortSignal,
): Promise<Pick<SiteFinding, 'finding' | 'seen'> | undefined> {
  if (isTargetClosed(error) && (await attachment.isLost())) throw error;
  if (signal.aborted) return undefined;
  const said = error instanceof EngineError ? errorMessage(error) : saidBy(error);
  return { finding: 'unsure', seen: `The look has failed: ${said}` };
}

/** Evidence without a picture is better than none. */
async function keepPicture(
  { store }: BrowserDeps,
  { sessionId, stepIndex }: LookAtSiteInput,
  attachment: Attachment,
  values: SessionValues,
): Promise<string | undefined> {
  const facts = { sessionId, stepIndex, action: 'CHECK' };
  try {
    return (await captureScreenshot(store, attachment, values, facts, newScreenshotId(facts))).artifactId;
  } catch {
    return undefined;
  }
}
