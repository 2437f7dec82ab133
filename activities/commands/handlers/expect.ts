import type { Locator } from 'playwright';
import { EngineError } from '../../failures';
import type { CommandHandler, CommandContext } from './command-handler';
import { containsText, isTextVisible, pollUntil } from './visible-text';

/** Pages need a moment to show what they are asked for; the whole limit would make every refused expectation slow. */
const PATIENCE_MS = 5000;
const READ_LIMIT_MS = 1000;

export const expectThat: CommandHandler = async (scene) => {
  const { page, parameters, timeoutMs, signal } = scene;
  const { absent = false } = parameters;
  const isSo = async (): Promise<boolean> => (await isMet(scene)) !== absent;
  if (await pollUntil(isSo, Math.min(PATIENCE_MS, timeoutMs), signal)) return;
  throw new EngineError(
    'EX002',
    `Expected ${absent ? 'not ' : ''}${describeExpectation(scene)}, but the page “${await page.title()}” (${page.url()}) ${absent ? 'still does' : 'does not'}.`,
  );
};

async function isMet({ page, element, parameters }: CommandContext): Promise<boolean> {
  const { url, title, text } = parameters;
  if (url !== undefined && !page.url().includes(url)) return false;
  if (title !== undefined && !containsText(await page.title(), title)) return false;
  if (element !== undefined) return await isElementMet(element.first(), text);
  return text === undefined || (await isTextVisible(page, text));
}

async function isElementMet(element: Locator, text: string | undefined): Promise<boolean> {
  if (!(await element.isVisible())) return false;
  if (text === undefined) return true;
  const shown = await element.evaluate(readableText, undefined, { timeout: READ_LIMIT_MS });
  return shown.some((each) => containsText(each, text));
}

/** Runs in the page: the texts that a reader takes an element to have. */
function readableText(node: Element): string[] {
  if (node instanceof HTMLSelectElement) return [node.value, ...[...node.selectedOptions].map(({ label }) => label)];
  if (node instanceof HTMLInputElement || node instanceof HTMLTextAreaElement) return [node.value];
  return [(node as HTMLElement).innerText ?? node.textContent ?? ''];
}

function describeExpectation({ parameters }: CommandContext): string {
  const { url, title, text, selector } = parameters;
  const wishes = [
    url === undefined ? '' : `an address with “${url}”`,
    title === undefined ? '' : `a title with “${title}”`,
    text === undefined ? '' : `to see “${text}”`,
    selector === undefined ? '' : text === undefined ? `to see ${selector}` : `in ${selector}`,
  ];
  return wishes.filter((part) => part !== '').join(' ');
}
