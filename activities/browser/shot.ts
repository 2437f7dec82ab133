import { setTimeout as delay } from 'node:timers/promises';
import type { CDPSession } from 'playwright';
import { throughNavigation } from './through-navigation';

const AGAIN_AFTER_MS = 1500;
const REFUSED_FOR_MS = 2000;

interface ShotOptions {
  optimizeForSpeed?: boolean;
  /** In CSS pixels from the top of the document, and how much it is enlarged. */
  clip?: { x: number; y: number; width: number; height: number; scale: number };
}

/**
 * A picture of the page as a PNG in base64. One that a navigation overtakes is refused by Chrome or never answered;
 * asked again, Chrome gives that of the page that came.
 */
export async function shot(session: CDPSession, options: ShotOptions = {}): Promise<string> {
  const ask = async () => await session.send('Page.captureScreenshot', { format: 'png', ...options });
  return await throughNavigation(REFUSED_FOR_MS, async () => {
    const first = ask();
    const soon = await Promise.race([first, delay(AGAIN_AFTER_MS, undefined, { ref: false })]);
    return (soon ?? (await Promise.race([first, ask()]))).data;
  });
}
