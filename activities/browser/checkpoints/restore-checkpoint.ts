import type { Page } from 'playwright';
import { BROWSER_GONE } from '../../../contracts/errors/standard-error';
import { faultPoint } from '../../../runtime/fault-point';
import type { Checkpoint, TabState } from '../../../store/browsers/checkpoints';
import { EngineError } from '../../activity/failures';
import type { Attachment } from '../attach/attachment';
import type { KeeperClient } from '../attach/keeper-client';
import { errorPageShown, openLostPage } from '../attach/lost-page';
import { isNetworkError, isTimeout } from '../attach/playwright-errors';
import { originOf } from './take-checkpoint';
import { unopenedTabs } from './unopened-tabs';
import { withinMs } from '../../../runtime/time-limit';
import { formControls, writeStorage } from './page-storage';
import type { SessionValues } from '../../secrets/session-values';

const OPEN_LIMIT_MS = 10_000;
const LOADED_LIMIT_MS = 3000;
const VISIT_LIMIT_MS = 10_000;
const PAGE_LIMIT_MS = 3000;

type Cookies = Parameters<Attachment['context']['addCookies']>[0];

/**
 * Restores a checkpoint in a new Chrome. Returns a sentence for each thing that could not be restored; only the loss
 * of the new Chrome stops it. Repeating it over a half-done restore is harmless.
 */
export async function restoreCheckpoint(
  sessionId: string,
  attachment: Attachment,
  checkpoint: Checkpoint,
  values: SessionValues,
  keeper: KeeperClient,
): Promise<string[]> {
  const open = async (page: Page, url: string): Promise<boolean> =>
    await openThroughLoss({ page, sessionId, browserId: attachment.browserId, keeper }, url);
  const warnings = checkpoint.omitted.map((what) => `Not in the checkpoint: ${what}.`);
  const attempt = async (what: string, work: Promise<unknown>): Promise<boolean> => {
    try {
      await work;
      return true;
    } catch (error) {
      if (await attachment.isLost())
        throw new EngineError('EX001', 'The new browser is gone as well.', { type: BROWSER_GONE, cause: error });
      warnings.push(`${what} could not be restored: ${(error as Error).message.split('\n')[0]}`);
      return false;
    }
  };
  const { context } = attachment;
  await attempt('The cookies', addCookies(attachment, checkpoint));
  for (const extra of attachment.tabs.slice(1)) await attempt('A tab', extra.close());
  await attachment.openTab();
  const pages = await openTabs(attachment, checkpoint.tabs, attempt);
  faultPoint('during-restore', sessionId);
  const carrier = pages[0]?.page ?? attachment.page;
  await attempt(
    'The storage of the pages',
    withoutNetwork(carrier, async () => {
      for (const { origin, local, databases } of checkpoint.origins) {
        if (local.length === 0 && databases.length === 0) continue;
        await attempt(`The storage of ${origin}`, visit(carrier, origin, { local, session: [], databases }));
      }
    }),
  );
  for (const { page, tab } of pages) {
    if (tab.session.length === 0) continue;
    await attempt(
      'A sessionStorage',
      withoutNetwork(page, async () => {
        for (const { origin, entries } of tab.session)
          await attempt(
            `The sessionStorage of ${origin}`,
            visit(page, origin, { local: [], session: entries, databases: [] }),
          );
      }),
    );
  }
  for (const { page, tab } of pages.toSorted((one, other) => Number(other.tab.isFront) - Number(one.tab.isFront))) {
    if (await attempt(`The page ${tab.url}`, reopen({ attachment, open, values, warnings }, page, tab))) continue;
    if (originOf(tab.url) === undefined) continue;
    unopenedTabs.set(page, tab);
    // It may show the empty document that took the storage.
    await page.goto('about:blank', { timeout: PAGE_LIMIT_MS }).catch(() => {});
  }
  const front = pages.find(({ tab }) => tab.isFront)?.page;
  if (front !== undefined) await attempt('The tab in front', attachment.bringToFront(front));
  if (warnings.length > 0) attachment.restored = undefined;
  await withinMs(PAGE_LIMIT_MS, context.cookies()).catch(() => {});
  return warnings;
}

async function addCookies({ context }: Attachment, { cookies }: Checkpoint): Promise<void> {
  if (cookies.length > 0) await context.addCookies(cookies as unknown as Cookies);
}

async function openTabs(
  attachment: Attachment,
  tabs: readonly TabState[],
  attempt: (what: string, work: Promise<unknown>) => Promise<boolean>,
): Promise<{ page: Page; tab: TabState }[]> {
  const opened: { page: Page; tab: TabState }[] = [];
  for (const tab of tabs) {
    const open = async (): Promise<void> => {
      const page = opened.length === 0 ? attachment.page : await attachment.context.newPage();
      opened.push({ page, tab });
    };
    await attempt('A tab', open());
  }
  return opened;
}

/** Answers every request of the page with an empty document during `work`. */
async function withoutNetwork(page: Page, work: () => Promise<void>): Promise<void> {
  const everything = '**/*';
  await page.route(everything, (route) =>
    route.fulfill({ status: 200, contentType: 'text/html', body: '<!doctype html>' }),
  );
  try {
    await work();
  } finally {
    await page.unroute(everything);
  }
}

async function visit(page: Page, origin: string, state: Parameters<typeof writeStorage>[0]): Promise<void> {
  await page.goto(`${origin}/`, { timeout: VISIT_LIMIT_MS });
  await withinMs(VISIT_LIMIT_MS, page.evaluate(writeStorage, state));
}

/** Opens an address, and again when the egress process dies meanwhile. Resolves to whether a server is known to have given the page. */
async function openThroughLoss(
  { keeper, ...where }: { page: Page; sessionId: string; browserId: string; keeper: KeeperClient },
  url: string,
): Promise<boolean> {
  const options = { waitUntil: 'domcontentloaded', timeout: OPEN_LIMIT_MS } as const;
  try {
    return (await where.page.goto(url, options))?.ok() === true;
  } catch (error) {
    if (!isNetworkError(error)) throw error;
    await errorPageShown(where.page);
    const lost = await openLostPage({
      ...where,
      keeper: () => Promise.resolve(keeper),
      sendAgain: 'reads',
      timeoutMs: OPEN_LIMIT_MS,
    });
    if (lost.kind !== 'opened') throw lost.kind === 'failed' ? lost.error : error;
    return false;
  }
}

interface Reopening {
  attachment: Attachment;
  open: (page: Page, url: string) => Promise<boolean>;
  values: SessionValues;
  warnings: string[];
}

async function reopen(
  { attachment, open, values, warnings }: Reopening,
  page: Page,
  { url, isFront, scroll, fields, secretFields = [], unkeptFields = 0 }: TabState,
): Promise<void> {
  if (url === 'about:blank' && page.url() === url) return;
  if (originOf(url) === undefined && !/^(?:about:blank|data:)/.test(url)) throw new Error('it is not a web address');
  // Always by GET: a page that was the response to a POST is requested, not sent, again.
  const isGiven = await open(page, url).catch((error: unknown) => {
    // Of a busy host, whose new Chrome may be ready by now; a step can do nothing without its page.
    if (isFront && isTimeout(error)) return open(page, url);
    throw error;
  });
  await page.waitForLoadState('load', { timeout: LOADED_LIMIT_MS }).catch(() => {});
  // Going back must not lead to the empty pages of the restore.
  if (attachment.hasDevTools) await (await attachment.cdp(page)).send('Page.resetNavigationHistory');
  if (originOf(page.url()) !== originOf(url)) {
    warnings.push(`The page ${url} redirected to another origin.`);
    return;
  }
  if (unkeptFields > 0)
    warnings.push(`${unkeptFields} form fields stay empty: they held a secret that no variable has.`);
  const isFilled = fields.length + secretFields.length > 0;
  if (isFront && isGiven && !isFilled) attachment.restored = { page, at: performance.now() };
  if (isFront && isFilled) {
    const secrets = secretFields.flatMap(({ key, nth, variable }) => {
      const value = values.secretOf(variable, originOf(page.url()));
      if (value === undefined) warnings.push(`The field that held ${variable} stays empty: its value is not set here.`);
      return value === undefined ? [] : [{ key, nth, value }];
    });
    // From now on the page holds them, and may send them.
    if (secrets.length > 0) attachment.trace.taint();
    const { missing } = await withinMs(PAGE_LIMIT_MS, page.evaluate(formControls, [...fields, ...secrets]));
    if (missing > 0) warnings.push(`${missing} form fields were not found again.`);
  }
  await withinMs(
    PAGE_LIMIT_MS,
    page.evaluate(({ x, y }) => scrollTo(x, y), scroll),
  );
}
