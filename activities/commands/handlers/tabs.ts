import type { Page } from 'playwright';
import type { tabCommands } from '../../../contracts/commands/definitions/tabs';
import type { Attachment } from '../../browsers/attachment';
import { EngineError } from '../../failures';
import { titleOf } from '../../pages/page-title';
import type { CommandHandlers } from './command-handler';
import { containsText } from '../../page-text/contains-text';
import { pollUntil } from './visible-text';

/** A tab that a click has just opened needs a moment to be there and to have its title. */
const OPEN_LIMIT_MS = 10_000;

export const tabHandlers: CommandHandlers<typeof tabCommands> = {
  async SWITCH_TAB({ attachment, page, parameters: { tab: wanted }, timeoutMs, signal }) {
    let found: Page | undefined;
    const isFound = async (): Promise<boolean> => {
      found = findTab(await tabsOf(attachment), page, wanted);
      return found !== undefined && !(isNewest(wanted) && found === page);
    };
    await pollUntil(isFound, Math.min(OPEN_LIMIT_MS, timeoutMs), signal);
    if (found === undefined) {
      const tabs = await tabsOf(attachment);
      const list = tabs.map((tab, index) => `${index + 1} “${tab.title}” ${tab.page.url()}`).join(', ');
      throw new EngineError('EX002', `There is no tab “${wanted}”; the tabs are ${list}.`);
    }
    await attachment.bringToFront(found);
    // The switch counts even if the page never loads: that is for the next command to find out.
    await found.waitForLoadState('domcontentloaded', { timeout: timeoutMs, signal }).catch(() => {});
    signal.throwIfAborted();
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
