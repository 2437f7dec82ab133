import type { Page } from 'playwright';
import type { tabCommands } from '../../../../contracts/commands/definitions/tabs';
import type { Attachment } from '../../attach/attachment';
import { EngineError } from '../../../activity/failures';
import { titleOf } from '../../pages/page-title';
import type { CommandHandlers } from './command-handler';
import { containsText } from '../../../../rules/page-text/contains-text';
import { assertMayOpen, openAddress } from './pages';
import { pollUntil } from '../poll-until';

/** A tab that a click has just opened needs a moment to be there and to have its title. */
const OPEN_LIMIT_MS = 10_000;
const FURTHER_LIMIT_MS = 300;

export const tabHandlers: CommandHandlers<typeof tabCommands> = {
  async SWITCH_TAB({ attachment, page, parameters: { tab: wanted }, timeoutMs, signal }) {
    let found: Page | undefined;
    const isFound = async (): Promise<boolean> => {
      found = findTab(await tabsOf(attachment), page, wanted);
      return found !== undefined && !(isNewest(wanted) && found === page);
    };
    // What a click has opened in front is followed at once, so the newest tab may well be this one.
    const isThere = isNewest(wanted) && attachment.tabs.length > 1 && attachment.tabs.at(-1) === page;
    await pollUntil(isFound, Math.min(isThere ? FURTHER_LIMIT_MS : OPEN_LIMIT_MS, timeoutMs), signal);
    if (found === undefined) throw noSuchTabError(wanted, await tabsOf(attachment));
    await attachment.bringToFront(found);
    // The switch counts even if the page never loads: that is for the next command to find out.
    await found.waitForLoadState('domcontentloaded', { timeout: timeoutMs, signal }).catch(() => {});
    signal.throwIfAborted();
  },

  async OPEN_TAB({ batch, attachment, parameters: { url }, timeoutMs, signal }) {
    if (url !== undefined) assertMayOpen(batch.network, url);
    const tab = await attachment.context.newPage();
    await attachment.bringToFront(tab);
    if (url !== undefined) await openAddress(tab, url, { timeout: timeoutMs, signal });
  },

  async CLOSE_TAB({ attachment, page, parameters: { tab: wanted } }) {
    const tabs = await tabsOf(attachment);
    const closing = wanted === undefined ? page : findTab(tabs, page, wanted);
    if (closing === undefined) throw noSuchTabError(wanted ?? '', tabs);
    await closing.close();
    // The last tab is never missed: an empty one takes its place.
    await attachment.openTab();
    await attachment.bringToFront(attachment.page);
  },

  async LIST_TABS({ attachment, page: front }) {
    const tabs = await tabsOf(attachment);
    const lines = tabs.map(
      ({ page, title }, index) => `${index + 1}${page === front ? ' (this one)' : ''}: ${title} ${page.url()}`,
    );
    return { output: lines.join('\n') };
  },
};

interface Tab {
  page: Page;
  title: string;
}

async function tabsOf({ tabs }: Attachment): Promise<Tab[]> {
  return await Promise.all(tabs.map(async (page) => ({ page, title: await titleOf(page) })));
}

function noSuchTabError(wanted: string, tabs: readonly Tab[]): EngineError {
  const list = tabs.map(({ page, title }, index) => `${index + 1} “${title}” ${page.url()}`).join(', ');
  return new EngineError('EX002', `There is no tab “${wanted}”; the tabs are ${list}.`, {
    details: { listsChoices: true },
  });
}

function isNewest(wanted: string): boolean {
  return /^(last|new)$/i.test(wanted.trim());
}

function findTab(tabs: readonly Tab[], front: Page, wanted: string): Page | undefined {
  const pages = tabs.map(({ page }) => page);
  const word = wanted.trim().toLowerCase();
  if (isNewest(wanted)) return pages.at(-1);
  if (word === 'first') return pages[0];
  if (word === 'next') return pages[(pages.indexOf(front) + 1) % pages.length];
  if (/^\d+$/.test(word)) return pages[Number(word) - 1];
  return tabs.find(({ page, title }) => containsText(title, wanted) || page.url().includes(wanted))?.page;
}
