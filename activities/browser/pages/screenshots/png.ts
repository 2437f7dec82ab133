import { setTimeout as delay } from 'node:timers/promises';
import type { CDPSession } from 'playwright';
import { retryThroughNavigation } from '../retry-through-navigation';

const RETRY_AFTER_MS = 1500;
const RETRY_LIMIT_MS = 2000;

interface PngOptions {
  optimizeForSpeed?: boolean;
  /** In CSS pixels from the top of the document, with its scale. */
  clip?: { x: number; y: number; width: number; height: number; scale: number };
}

interface ImageOptions extends PngOptions {
  format: 'png' | 'jpeg';
  /** Of a JPEG, up to 100. */
  quality?: number;
}

/** Captures the page as a base64 PNG. */
export async function capturePng(session: CDPSession, options: PngOptions = {}): Promise<string> {
  return await captureImage(session, { format: 'png', ...options });
}

/**
 * Captures the page as base64. Chrome refuses a capture that a navigation interrupts, or never answers it; a
 * second request gets the new page.
 */
export async function captureImage(session: CDPSession, options: ImageOptions): Promise<string> {
  const ask = async () => await session.send('Page.captureScreenshot', options);
  return await retryThroughNavigation(RETRY_LIMIT_MS, async () => {
    const first = ask();
    const soon = await Promise.race([first, delay(RETRY_AFTER_MS, undefined, { ref: false })]);
    return (soon ?? (await Promise.race([first, ask()]))).data;
  });
}
