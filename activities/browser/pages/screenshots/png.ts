import { setTimeout as delay } from 'node:timers/promises';
import type { CDPSession } from 'playwright';
import type { Attachment } from '../../attach/attachment';
import { retryThroughNavigation } from '../retry-through-navigation';

const RETRY_AFTER_MS = 1500;
const RETRY_LIMIT_MS = 2000;

interface PngOptions {
  optimizeForSpeed?: boolean;
  /** In CSS pixels, with its scale. */
  clip?: { x: number; y: number; width: number; height: number; scale: number };
}

interface ImageOptions extends PngOptions {
  format: 'png' | 'jpeg';
  /** Of a JPEG, up to 100. */
  quality?: number;
}

/**
 * Captures the page in front as base64; `clip` is measured from the top of the view. Without DevTools its scale is the
 * page's own.
 */
export async function captureView(attachment: Attachment, { clip, ...options }: ImageOptions): Promise<string> {
  const { page } = attachment;
  if (attachment.hasDevTools) {
    const session = await attachment.cdp(page);
    if (clip === undefined) return await captureImage(session, options);
    const { cssVisualViewport: view } = await session.send('Page.getLayoutMetrics');
    return await captureImage(session, {
      ...options,
      clip: { ...clip, x: clip.x + view.pageX, y: clip.y + view.pageY },
    });
  }
  const { format: type, quality } = options;
  const picture = await retryThroughNavigation(RETRY_LIMIT_MS, () =>
    page.screenshot({
      type,
      scale: 'css',
      caret: 'initial',
      animations: 'allow',
      ...(clip === undefined ? {} : { clip: { x: clip.x, y: clip.y, width: clip.width, height: clip.height } }),
      ...(type === 'png' || quality === undefined ? {} : { quality }),
    }),
  );
  return picture.toString('base64');
}

/** Captures the page as a base64 PNG. */
export async function capturePng(session: CDPSession, options: PngOptions = {}): Promise<string> {
  return await captureImage(session, { format: 'png', ...options });
}

/**
 * Captures the page as base64, with a clip from the top of the document. Chrome refuses a capture that a navigation interrupts, or never answers it; a
 * second request gets the new page.
 */
export async function captureImage(
  session: CDPSession,
  options: Omit<ImageOptions, 'format'> & { format: ImageOptions['format'] | 'webp' },
  retryAfterMs = RETRY_AFTER_MS,
): Promise<string> {
  const ask = async () => await session.send('Page.captureScreenshot', options);
  return await retryThroughNavigation(RETRY_LIMIT_MS, async () => {
    const first = ask();
    const soon = await Promise.race([first, delay(retryAfterMs, undefined, { ref: false })]);
    return (soon ?? (await Promise.race([first, ask()]))).data;
  });
}
