import type { Frame, Page } from 'playwright';
import { isTargetClosed } from '../../browsers/playwright-errors';

/** Case, runs of white space and the kind of quotes don't matter to a reader. */
function normalized(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[“”„«»]/g, '"')
    .replaceAll(/[‘’]/g, "'")
    .replaceAll(/\s+/g, ' ')
    .trim();
}

export function containsText(text: string, wanted: string): boolean {
  return normalized(text).includes(normalized(wanted));
}

const SNAPSHOT_LIMIT_MS = 5000;

/**
 * True when a reader of the page (any frame, open shadow roots too) finds this text, or a control of that name, label or
 * placeholder. Rejects when the page can't be read just now: then nothing is known, neither that it is there nor that
 * it is not.
 */
export async function isTextVisible(page: Page, wanted: string): Promise<boolean> {
  const snapshot = await page.ariaSnapshot({ mode: 'ai', timeout: SNAPSHOT_LIMIT_MS });
  if (containsText(snapshot.replaceAll('\\"', '"'), wanted)) return true;
  // Text that spans several elements is in one piece only where it is laid out.
  const inner = page.frames().filter((frame) => frame !== page.mainFrame());
  const texts = await Promise.all([
    textOf(page.mainFrame()),
    // A frame comes and goes without the page.
    ...inner.map((frame) => textOf(frame).catch(() => '')),
  ]);
  return texts.some((text) => containsText(text, wanted));
}

async function textOf(frame: Frame): Promise<string> {
  return await frame.evaluate(() => document.body?.innerText ?? document.documentElement?.textContent ?? '');
}

const POLL_MS = 100;

/** Asks again and again until it is so, the time is up, or somebody wants us to stop. Resolves to the last answer. */
export async function pollUntil(isSo: () => Promise<boolean>, limitMs: number, signal: AbortSignal): Promise<boolean> {
  const end = performance.now() + limitMs;
  for (;;) {
    if (await isSo().catch(unlessGone)) return true;
    signal.throwIfAborted();
    if (performance.now() >= end) return false;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/** A page that is just being replaced gives no answer. */
function unlessGone(error: unknown): false {
  if (isTargetClosed(error)) throw error;
  return false;
}
