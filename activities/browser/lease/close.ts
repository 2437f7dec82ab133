import type { CloseBrowserInput } from '../../signatures/browser-activities';
import type { ActivityCall } from '../../activity/activity';
import { cutOffRecord } from '../../recorded/command-records';
import { loadSessionValues } from '../../secrets/session-values';
import type { Attachment } from '../attach/attachment';
import { takeCheckpoint } from '../checkpoints/take-checkpoint';
import type { BrowserDeps } from '../attach/browser-deps';
import { takeLastFrame } from '../pages/recorder';

/** So long the page of a session that ends gets to send what it has begun. */
const LAST_LIMIT_MS = 10_000;

/**
 * Ends the session's Chrome and its lease. What the page is still to save or send is waited for; what is cut off all the
 * same is a warning in the log. Of a session with a profile the last state is kept first. Repeating it is harmless.
 */
export async function closeBrowser(deps: BrowserDeps, input: CloseBrowserInput, call: ActivityCall): Promise<void> {
  const { attachments } = deps;
  const { sessionId, lease } = input;
  const attachment = attachments.held(sessionId, lease);
  // An end must not fail because its page could not be asked.
  if (attachment !== undefined) {
    await letPageFinish(deps, input, attachment, call).catch(() => {});
    await takeLastFrame(attachment);
  }
  await attachments.release(sessionId);
}

async function letPageFinish(
  { store, env }: BrowserDeps,
  { sessionId, lease: { epoch }, keepsState }: CloseBrowserInput,
  attachment: Attachment,
  { runId, signal }: ActivityCall,
): Promise<void> {
  const { watch, page } = attachment;
  await watch.rest(page, signal, { isLeft: true, atMostMs: LAST_LIMIT_MS });
  const cutOff = watch.changesUnderWay();
  if (cutOff.length === 0 && keepsState !== true) return;
  const values = await loadSessionValues(store, sessionId, env);
  if (keepsState === true) await takeCheckpoint({ store, attachment, values, sessionId, runId, epoch });
  if (cutOff.length === 0) return;
  const record = cutOffRecord(
    sessionId,
    epoch,
    cutOff.map((each) => values.redact(each)),
  );
  await store.log.append(sessionId, [record], { guard: { runId, epoch } });
}
