import type { Page } from 'playwright';
import { isHttpUrl } from '../../../contracts/browsers/origins';
import type { pageCommands } from '../../../contracts/commands/definitions/pages';
import { EngineError } from '../../failures';
import { blockedAddress, navigationRefusal, refusedByProxy } from '../network-guard';
import type { CommandHandlers } from './command-handler';

export const pageHandlers: CommandHandlers<typeof pageCommands> = {
  async OPEN_PAGE({ batch, page, parameters: { url }, timeoutMs, signal }) {
    if (blockedAddress(batch.network, [url]) !== undefined) throw navigationRefusal(batch.network, url);
    if (!isHttpUrl(url) && url !== 'about:blank') {
      throw new EngineError('SM002', `OPEN_PAGE needs an absolute http or https address, got “${url}”.`);
    }
    const response = await page.goto(url, { timeout: timeoutMs, waitUntil: 'domcontentloaded', signal });
    const refused = response === null ? undefined : refusedByProxy(response);
    if (refused !== undefined) throw refused;
  },

  async GO_BACK({ page, timeoutMs }) {
    await goInHistory(page, 'back', () => page.goBack({ timeout: timeoutMs, waitUntil: 'domcontentloaded' }));
  },

  async GO_FORWARD({ page, timeoutMs }) {
    await goInHistory(page, 'forward', () => page.goForward({ timeout: timeoutMs, waitUntil: 'domcontentloaded' }));
  },
};

async function goInHistory(page: Page, direction: 'back' | 'forward', go: () => Promise<unknown>): Promise<void> {
  const before = page.url();
  // A page from the history cache has no response either, but another address.
  if ((await go()) === null && page.url() === before)
    throw new EngineError('EX004', `There is no page to go ${direction} to in this tab.`);
}
