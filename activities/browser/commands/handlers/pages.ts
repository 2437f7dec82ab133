import type { Page } from 'playwright';
import type { NetworkPolicy } from '../../../../contracts/browsers/network-policy';
import { isHttpUrl } from '../../../../contracts/browsers/origins';
import type { pageCommands } from '../../../../contracts/commands/definitions/pages';
import { withinMs } from '../../../../runtime/time-limit';
import { EngineError } from '../../../activity/failures';
import type { Attachment } from '../../attach/attachment';
import { isTimeout } from '../../attach/playwright-errors';
import { blockedAddress, navigationRefusal, refusedByProxy } from '../network-guard';
import { keepDownload } from '../store-downloads';
import type { CommandHandlers } from './command-handler';

const STOP_LIMIT_MS = 1000;

export const pageHandlers: CommandHandlers<typeof pageCommands> = {
  async OPEN_PAGE({ batch, commandId, attachment, page, parameters: { url }, timeoutMs, signal }) {
    assertMayOpen(batch.network, url);
    // Here the page is not loaded anew by itself.
    attachment.filled.clear();
    try {
      await openAddress(page, url, { timeout: timeoutMs, signal }).catch(stopLoading(attachment, page));
    } catch (error) {
      if (!isDownload(error)) throw error;
      const download = (await attachment.downloads.take()).at(-1) ?? (await attachment.downloads.next(timeoutMs));
      if (download === undefined) throw error;
      const output = await keepDownload(batch, { commandId, action: 'OPEN_PAGE' }, download);
      return { output: `${output}\nThe page is still ${page.url()}.` };
    }
    return {};
  },

  async GO_BACK({ page, timeoutMs }) {
    await goInHistory(page, 'back', () => page.goBack({ timeout: timeoutMs, waitUntil: 'domcontentloaded' }));
  },

  async GO_FORWARD({ page, timeoutMs }) {
    await goInHistory(page, 'forward', () => page.goForward({ timeout: timeoutMs, waitUntil: 'domcontentloaded' }));
  },

  async RELOAD_PAGE({ attachment, page, timeoutMs }) {
    const options = { timeout: timeoutMs, waitUntil: 'domcontentloaded' } as const;
    await page.reload(options).catch(stopLoading(attachment, page));
  },
};

/** Gives up what was not there in time: the page answers nothing while it loads, and its snapshot would wait for it. */
function stopLoading(attachment: Attachment, page: Page): (error: unknown) => Promise<never> {
  return async (error) => {
    if (isTimeout(error)) {
      const stopping = attachment.hasDevTools
        ? attachment.cdp(page).then((session) => session.send('Page.stopLoading'))
        : page.evaluate('stop()');
      await withinMs(STOP_LIMIT_MS, stopping).catch(() => {});
      attachment.watch.giveUp(page);
    }
    throw error;
  };
}

/** A page that navigates to a file stays where it is, and Playwright calls that a failure. */
function isDownload(error: unknown): boolean {
  return error instanceof Error && error.message.includes('Download is starting');
}

/** Refuses an address that is none, or where the session may not go. */
export function assertMayOpen(network: NetworkPolicy, url: string): void {
  if (blockedAddress(network, [url]) !== undefined) throw navigationRefusal(network, url);
  if (!isHttpUrl(url) && url !== 'about:blank')
    throw new EngineError('SM002', `Expected an absolute http or https address, got “${url}”.`);
}

export async function openAddress(
  page: Page,
  url: string,
  options: { timeout: number; signal: AbortSignal },
): Promise<void> {
  const response = await page.goto(url, { ...options, waitUntil: 'domcontentloaded' });
  const refused = response === null ? undefined : refusedByProxy(response);
  if (refused !== undefined) throw refused;
}

async function goInHistory(page: Page, direction: 'back' | 'forward', go: () => Promise<unknown>): Promise<void> {
  const before = page.url();
  // A page from the history cache has no response either, but another address.
  if ((await go()) === null && page.url() === before)
    throw new EngineError('TL004', `There is no page to go ${direction} to in this tab.`);
}
