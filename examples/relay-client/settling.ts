import { setTimeout as delay } from 'node:timers/promises';
import type { Page, Request } from 'playwright';

const ANSWERS_WITHIN_MS = 3000;
const BEGINS_WITHIN_MS = 150;
const SETTLES_WITHIN_MS = 8000;
const POLL_MS = 25;

/** Acts, and waits for the page that this leads to: whoever reads next is not to see the one that it leads away from. */
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
    // A page that is busy has not yet begun to go where the act leads: it is given longer, until it answers.
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

/** A request may belong to a frame that is not there yet: then it is none of a page that was there. */
function isOfMainFrame(page: Page, request: Request): boolean {
  try {
    return request.frame() === page.mainFrame();
  } catch {
    return false;
  }
}
