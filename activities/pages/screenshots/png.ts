import { setTimeout as delay } from 'node:timers/promises';
import type { CDPSession } from 'playwright';
import { retryThroughNavigation } from '../retry-through-navigation';

const RETRY_AFTER_MS = 1500;
const RETRY_LIMIT_MS = 2000;

interface PngOptions {
  optimizeForSpeed?: boolean;
  /** In CSS pixels from the top of the document, and how much it is enlarged. */
  clip?: { x: number; y: number; width: number; height: number; scale: number };
}

/**
 * A picture of the page as a PNG in base64. One that a navigation overtakes is refused by Chrome or never answered;
 * asked again, Chrome gives that of the page that came.
 */
export async function capturePng(session: CDPSession, options: PngOptions = {}): Promise<string> {
  const ask = async () => await session.send('Page.captureScreenshot', { format: 'png', ...options });
  return await retryThroughNavigation(RETRY_LIMIT_MS, async () => {
    const first = ask();
    const soon = await Promise.race([first, delay(RETRY_AFTER_MS, undefined, { ref: false })]);
    return (soon ?? (await Promise.race([first, ask()]))).data;
  });
}
