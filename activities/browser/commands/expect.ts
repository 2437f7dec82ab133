import { EngineError } from '../../failures';
import type { Command, CommandScene } from './command';
import { contains, isSeen, until } from './seen';

/** Pages need a moment to show what they are asked for; the whole limit would make every refused expectation slow. */
const PATIENCE_MS = 5000;

export const expectThat: Command = async (scene) => {
  const { page, parameters, timeoutMs, signal } = scene;
  const { absent = false } = parameters;
  const isSo = async (): Promise<boolean> => (await holds(scene)) !== absent;
  if (await until(isSo, Math.min(PATIENCE_MS, timeoutMs), signal)) return;
  throw new EngineError(
    'EX002',
    `Expected ${absent ? 'not ' : ''}${wish(scene)}, but the page “${await page.title()}” (${page.url()}) ${absent ? 'still does' : 'does not'}.`,
  );
};

async function holds({ page, element, parameters }: CommandScene): Promise<boolean> {
  const { url, title, text, selector } = parameters;
  if (url !== undefined && !page.url().includes(url)) return false;
  if (title !== undefined && !contains(await page.title(), title)) return false;
  if (selector !== undefined) return await elementHolds(element ?? page.locator(selector), text);
  return text === undefined || (await isSeen(page, text));
}

async function elementHolds(
  element: ReturnType<CommandScene['page']['locator']>,
  text: string | undefined,
): Promise<boolean> {
  if (!(await element.first().isVisible())) return false;
  if (text === undefined) return true;
  const shown = await element
    .first()
    .evaluate((node) => ('value' in node ? String(node.value) : ((node as HTMLElement).innerText ?? '')));
  return contains(shown, text);
}

function wish({ parameters }: CommandScene): string {
  const { url, title, text, selector } = parameters;
  const wishes = [
    url === undefined ? '' : `an address with “${url}”`,
    title === undefined ? '' : `a title with “${title}”`,
    text === undefined ? '' : `to see “${text}”`,
    selector === undefined ? '' : `in ${selector}`,
  ];
  return wishes.filter((part) => part !== '').join(' ');
}
