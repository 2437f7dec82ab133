import type { Page } from 'playwright';
import { EngineError } from '../../failures';
import { titleOf } from '../../pages/page-title';
import type { CommandHandler } from './command-handler';
import { containsText, pollUntil } from './visible-text';

/** A tab that a click has just opened needs a moment to be there and to have its title. */
const PATIENCE_MS = 10_000;

export const switchTab: CommandHandler = async ({ attachment, page, parameters, timeoutMs, signal }) => {
  const wanted = parameters.tab ?? '';
  const limitMs = Math.min(PATIENCE_MS, timeoutMs);
  const tabs = async (): Promise<Tab[]> =>
    await Promise.all(attachment.tabs.map(async (each) => ({ page: each, title: await titleOf(each) })));
  let found: Page | undefined;
  await pollUntil(
    async () => {
      found = findTab(await tabs(), page, wanted);
      return found !== undefined && !(isNewest(wanted) && found === page);
    },
    limitMs,
    signal,
  );
  if (found === undefined) {
    const list = (await tabs()).map((tab, index) => `${index + 1} “${tab.title}” ${tab.page.url()}`).join(', ');
    throw new EngineError('EX002', `There is no tab “${wanted}”; the tabs are ${list}.`);
  }
  await attachment.bringToFront(found);
  // It is switched to in any case; a page that never comes is the next command's concern.
  await found.waitForLoadState('domcontentloaded', { timeout: timeoutMs, signal }).catch(() => {});
  signal.throwIfAborted();
};

interface Tab {
  page: Page;
  title: string;
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
