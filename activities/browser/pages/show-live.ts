import { setTimeout as sleep } from 'node:timers/promises';
import { VIEWPORT } from '../../../contracts/browsers/viewport';
import { loadSessionValues, type SessionValues } from '../../secrets/session-values';
import type { Attachment } from '../attach/attachment';
import type { BrowserDeps } from '../attach/browser-deps';
import { takeMasked } from './capture';
import { titleOf } from './page-title';
import { startScreencast, type Screencast } from './screencast';
import { captureView } from './screenshots/png';

/** Least time between two frames. */
const PAUSE_MS = 200;
/** Also without a change that was noticed, a page is looked at again after so long. */
const RENEW_MS = 1500;
const FRAME_LIMIT_MS = 5000;
const QUALITY = 60;

/**
 * Shows the page in front for as long as somebody looks and this worker has the browser: a frame whenever it has changed,
 * with secrets masked as in every screenshot. Masking touches the page, so in a session with secrets there are frames only
 * while no activity uses the browser.
 */
export async function showLive(
  { store, attachments, env }: BrowserDeps,
  sessionId: string,
  attachment: Attachment,
  end: AbortSignal,
): Promise<void> {
  let screencast: Screencast | undefined;
  let last = '';
  try {
    while (!end.aborted && attachment.isConnected && (await store.liveFrames.isWanted(sessionId))) {
      const { page } = attachment;
      if (screencast?.page !== page) {
        await screencast?.stop();
        screencast = await startScreencast(attachment, page);
      }
      const values = await loadSessionValues(store, sessionId, env);
      // What a dialog holds can't be drawn, and stands still.
      const take = async () => (attachment.watch.dialogAnswers.isWaiting ? last : await takeFrame(attachment, values));
      // A page that navigates, or takes too long, is shown a moment later.
      const jpeg = await (values.hasSecrets ? attachments.betweenUses(attachment, take) : take()).catch(
        () => undefined,
      );
      const isChanged = jpeg !== undefined && jpeg !== last;
      if (isChanged) {
        last = jpeg;
        const { width, height } = page.viewportSize() ?? VIEWPORT;
        const tabs = values.redactAll(await tabsOf(attachment));
        await store.liveFrames.show(sessionId, { jpeg: Buffer.from(jpeg, 'base64'), width, height, tabs });
      } else if (jpeg !== undefined) await store.liveFrames.show(sessionId);
      await sleep(PAUSE_MS);
      // What changed while the frame was taken may be missing in it, so one that differs is followed by another.
      if (!isChanged) await Promise.race([screencast.changed(), sleep(RENEW_MS)]);
    }
  } finally {
    await screencast?.stop();
  }
}

async function takeFrame(attachment: Attachment, values: SessionValues): Promise<string> {
  return await takeMasked(attachment, values, FRAME_LIMIT_MS, () =>
    captureView(attachment, { format: 'jpeg', quality: QUALITY, optimizeForSpeed: true }),
  );
}

async function tabsOf({ tabs, page: front }: Attachment) {
  return await Promise.all(
    tabs.map(async (page) => ({ title: await titleOf(page), url: page.url(), isActive: page === front })),
  );
}
