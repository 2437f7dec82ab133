import { setTimeout as sleep } from 'node:timers/promises';
import type { Page, Response } from 'playwright';
import type { z } from 'zod';
import { NO_WAY_OUT, type RequestRecordSchema } from '../../../contracts/browsers/keeper';
import type { KeeperClient } from './keeper-client';
import { isNetworkError } from './playwright-errors';

/** Of a page whose connection broke: Chrome shows one of its own in its place, and leaves it at that. */
const ERROR_PAGE = /^chrome-error:/;
// cspell:ignore certerror neterror
const ERROR_PAGE_OF_FIREFOX = /^about:(?:neterror|certerror)/;
const SHOWN_LIMIT_MS = 1000;
/** Chrome shows its error page to the worker, and reports the failure to the keeper: a busy keeper hears of it later. */
const REPORTED_LIMIT_MS = 2000;
const ASK_AGAIN_MS = 50;

type Navigation = z.infer<typeof RequestRecordSchema>;

/** What became of a page that broke when the egress process of its host died. */
export type LostPage =
  /** It did not break, or for a reason of its own. */
  | { kind: 'none' }
  | { kind: 'opened'; response: Response | null }
  /** It could not be opened again. */
  | { kind: 'failed'; error: unknown }
  /** Its request may have arrived, so it was not sent again. */
  | { kind: 'unanswered'; request: string };

interface LostPageOptions {
  page: Page;
  sessionId: string;
  browserId: string;
  keeper: () => Promise<KeeperClient>;
  /** `reads`: a GET again, whatever became of it; anything else, like `unsent`, only when Chrome never got to send it. */
  sendAgain: 'reads' | 'unsent';
  timeoutMs: number;
  signal?: AbortSignal | undefined;
}

export function isErrorPage(page: Page): boolean {
  return ERROR_PAGE.test(page.url()) || ERROR_PAGE_OF_FIREFOX.test(page.url());
}

/**
 * Opens a page again that broke because the egress process died, once there is another one. What the site itself refused or
 * broke off stays as it is.
 */
export async function openLostPage(options: LostPageOptions): Promise<LostPage> {
  const { page, sessionId, browserId, timeoutMs, sendAgain } = options;
  const end = performance.now() + timeoutMs;
  let reportedBy: number | undefined;
  let last: LostPage = { kind: 'none' };
  while (ERROR_PAGE.test(page.url())) {
    const keeper = await options.keeper();
    const openSince = await keeper.wayOutOpenSince(sessionId);
    // From here on: to wait for another egress process may have taken longer.
    reportedBy ??= performance.now() + REPORTED_LIMIT_MS;
    const { requests } = await keeper.evidence(sessionId, new Date(0), browserId);
    const navigation = requests.findLast(({ resourceType }) => resourceType === 'Document');
    if (navigation?.failure === undefined && performance.now() < reportedBy) {
      await sleep(ASK_AGAIN_MS);
      continue;
    }
    if (navigation === undefined || !isLost(navigation, openSince)) return last;
    const { method, url, isUnsent } = navigation;
    if (isUnsent !== true && (method !== 'GET' || sendAgain === 'unsent'))
      return { kind: 'unanswered', request: `${method} ${url}` };
    const left = end - performance.now();
    if (left <= 0) return last;
    try {
      return { kind: 'opened', response: await sendOnceMore(navigation, { ...options, timeoutMs: left }) };
    } catch (error) {
      if (!isNetworkError(error)) throw error;
      last = { kind: 'failed', error };
      await errorPageShown(page);
    }
  }
  return last;
}

/** Resolves when Chrome shows the error page of a navigation that has just failed, or does not within a moment. */
export async function errorPageShown(page: Page): Promise<void> {
  await page.waitForURL(ERROR_PAGE, { waitUntil: 'commit', timeout: SHOWN_LIMIT_MS }).catch(() => {});
}

/** The proxy of the egress process is Chrome's only one, so an error of a proxy is the loss of that process. */
function isLost({ at, failure, status }: Navigation, openSince: Date): boolean {
  if (failure === undefined || status !== undefined) return false;
  return failure === NO_WAY_OUT || openSince.getTime() > Date.parse(at);
}

async function sendOnceMore(
  { method, url }: Navigation,
  { page, timeoutMs, signal }: Pick<LostPageOptions, 'page' | 'timeoutMs' | 'signal'>,
): Promise<Response | null> {
  const options = {
    waitUntil: 'domcontentloaded',
    timeout: timeoutMs,
    ...(signal === undefined ? {} : { signal }),
  } as const;
  // Only a reload has the body of a form.
  return await (method === 'GET' ? page.goto(url, options) : page.reload(options));
}
