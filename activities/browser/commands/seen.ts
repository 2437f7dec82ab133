import type { Page } from 'playwright';

/** Case, runs of white space and the kind of quotes don't matter to a reader. */
function plain(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[“”„«»]/g, '"')
    .replaceAll(/[‘’]/g, "'")
    .replaceAll(/\s+/g, ' ')
    .trim();
}

export function contains(text: string, wanted: string): boolean {
  return plain(text).includes(plain(wanted));
}

/** True when a reader of the page (any frame, open shadow roots too) finds this text, or a control of that name, label or placeholder. */
export async function isSeen(page: Page, wanted: string): Promise<boolean> {
  const snapshot = await page.ariaSnapshot({ mode: 'ai' }).catch(() => '');
  if (contains(snapshot.replaceAll('\\"', '"'), wanted)) return true;
  // Text that spans several elements is in one piece only where it is laid out.
  const texts = await Promise.all(
    page.frames().map((frame) =>
      frame
        .locator('body')
        .innerText({ timeout: 500 })
        .catch(() => ''),
    ),
  );
  return texts.some((text) => contains(text, wanted));
}

const POLL_MS = 100;

/** Asks again and again until it is so, the time is up, or somebody wants us to stop. Resolves to the last answer. */
export async function until(isSo: () => Promise<boolean>, limitMs: number, signal: AbortSignal): Promise<boolean> {
  const end = Date.now() + limitMs;
  for (;;) {
    if (await isSo()) return true;
    signal.throwIfAborted();
    if (Date.now() >= end) return false;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
