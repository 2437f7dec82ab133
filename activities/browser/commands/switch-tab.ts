import type { Page } from 'playwright';
import { EngineError } from '../../failures';
import type { Command } from './command';
import { contains } from './seen';

export const switchTab: Command = async ({ attachment, page, parameters }) => {
  const pages = attachment.context.pages();
  const titles = await Promise.all(pages.map((each) => each.title().catch(() => '')));
  const wanted = parameters.tab ?? '';
  const found = choose(pages, titles, page, wanted);
  if (found === undefined) {
    const list = pages.map((each, index) => `${index + 1} “${titles[index]}” ${each.url()}`).join(', ');
    throw new EngineError('EX002', `There is no tab “${wanted}”; the tabs are ${list}.`);
  }
  await attachment.bringToFront(found);
};

function choose(pages: readonly Page[], titles: readonly string[], front: Page, wanted: string): Page | undefined {
  const word = wanted.trim().toLowerCase();
  if (word === 'last' || word === 'new') return pages.at(-1);
  if (word === 'first') return pages[0];
  if (word === 'next') return pages[(pages.indexOf(front) + 1) % pages.length];
  if (/^\d+$/.test(word)) return pages[Number(word) - 1];
  return pages.find((page, index) => contains(titles[index] ?? '', wanted) || page.url().includes(wanted));
}
