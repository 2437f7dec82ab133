import { setTimeout as delay } from 'node:timers/promises';
import type { Page, Request } from 'playwright';

const ANSWERS_WITHIN_MS = 3000;
const BEGINS_WITHIN_MS = 150;
const SETTLES_WITHIN_MS = 8000;
const POLL_MS = 25;

/** Runs an action and waits for the page it leads to, so that the next read does not see the old page. */
export async function settling(page: Page, act: () => Promise<void>): Promise<void> {
  let leading: Request | undefined;
  const onRequest = (request: Request): void => {
    if (request.isNavigationRequest() && isOfMainFrame(page, request)) leading = request;
  };
  const onLoaded = (): void => void (leading = undefined);
  const onFailed = (request: Request): void => {
    if (request === leading) leading = undefined;
  };
  page.on('request', onRequest);
  page.on('domcontentloaded', onLoaded);
  page.on('requestfailed', onFailed);
  try {
    await act();
    // A busy page may not have begun to navigate: wait until it answers.
    const answered = page.evaluate('0').catch(() => {});
    await Promise.race([answered, delay(ANSWERS_WITHIN_MS, undefined, { ref: false })]);
    await delay(BEGINS_WITHIN_MS);
    for (const end = performance.now() + SETTLES_WITHIN_MS; leading !== undefined && performance.now() < end;)
      await delay(POLL_MS);
  } finally {
    page.off('request', onRequest);
    page.off('domcontentloaded', onLoaded);
    page.off('requestfailed', onFailed);
  }
}

/** A request without a frame belongs to a new page. */
function isOfMainFrame(page: Page, request: Request): boolean {
  try {
    return request.frame() === page.mainFrame();
  } catch {
    return false;
  }
}
