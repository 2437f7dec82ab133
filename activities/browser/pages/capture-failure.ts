import type { PageState } from '../../../contracts/events/outbox';
import type { Lease } from '../../signatures/browser-activities';
import type { BrowserDeps } from '../attach/browser-deps';
import { ArtifactNotSaved } from '../../../store/files/write-atomically';
import { saveDom } from '../../recorded/captures';
import { captureDom, captureScreenshot, newScreenshotId } from './capture';
import { loadSessionValues } from '../../secrets/session-values';

/** Saves what explains a failed step: the page as it is, and the step's trace. */
export async function captureFailure(
  { store, env, attachments }: Pick<BrowserDeps, 'store' | 'env' | 'attachments'>,
  { sessionId, stepIndex, lease }: { sessionId: string; stepIndex: number; lease: Lease },
): Promise<PageState> {
  const attachment = attachments.held(sessionId, lease);
  if (attachment === undefined) return { screenshotId: '', url: 'about:blank' };
  const [values, session] = await Promise.all([
    loadSessionValues(store, sessionId, env),
    store.sessions.get(sessionId),
    attachment.openTab(),
  ]);
  const facts = { sessionId, stepIndex, action: 'STEP_FAILED' };
  const domId = `${sessionId}.${stepIndex}.failed.dom`;
  const { dom } = await captureDom(attachment, values);
  const isDomKept = await isSaved(saveDom(store, facts, domId, values.redact(dom)));
  const screenshotId = session?.plan.config.executor.screenshotsEnabled === false ? '' : newScreenshotId(facts);
  // The rest explains the failure even without a screenshot.
  const isShown =
    screenshotId !== '' &&
    (await captureScreenshot(store, attachment, values, facts, screenshotId).then(
      () => true,
      () => false,
    ));
  const trace = await attachment.trace.take();
  if (trace !== undefined) {
    const artifactId = `${sessionId}.${stepIndex}.trace`;
    await isSaved(store.artifacts.save({ sessionId, artifactId, kind: 'trace', content: trace, stepIndex }));
  }
  return {
    screenshotId: isShown ? screenshotId : '',
    ...(isDomKept ? { domId } : {}),
    url: values.redact(attachment.page.url()),
  };
}

/** A capture that can't be saved must not change how the step failed. */
async function isSaved(saving: Promise<unknown>): Promise<boolean> {
  try {
    await saving;
    return true;
  } catch (error) {
    if (error instanceof ArtifactNotSaved) return false;
    throw error;
  }
}
