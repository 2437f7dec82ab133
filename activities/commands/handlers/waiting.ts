import type { Locator } from 'playwright';
import type { waitingCommands } from '../../../contracts/commands/definitions/waiting';
import type { Attachment } from '../../browsers/attachment';
import { EngineError } from '../../failures';
import type { CommandContext, CommandHandlers } from './command-handler';
import { containsText, isTextVisible, pollUntil } from './visible-text';

/** Pages need a moment to show what is expected; the whole timeout would make every failed expectation slow. */
const EXPECT_LIMIT_MS = 5000;
const READ_LIMIT_MS = 1000;

export const waitingHandlers: CommandHandlers<typeof waitingCommands> = {
  async WAIT_FOR({ attachment, page, parameters: { text, hidden = false, seconds }, timeoutMs, signal }) {
    const limitMs = Math.min(seconds === undefined ? timeoutMs : seconds * 1000, timeoutMs);
    if (text === undefined) {
      await pollUntil(() => neverWhileConnected(attachment), limitMs, signal);
      return;
    }
    if (await pollUntil(async () => (await isTextVisible(page, text)) !== hidden, limitMs, signal)) return;
    const found = hidden ? `“${text}” is still there` : `“${text}” did not appear`;
    throw new EngineError('EX002', `${found} within ${limitMs / 1000} s on ${page.url()}.`);
  },

  async EXPECT(context) {
    const { page, parameters, timeoutMs, signal } = context;
    const { absent = false } = parameters;
    const isExpected = async (): Promise<boolean> => (await isMet(context)) !== absent;
    if (await pollUntil(isExpected, Math.min(EXPECT_LIMIT_MS, timeoutMs), signal)) return;
    throw new EngineError(
      'EX002',
      `Expected ${absent ? 'not ' : ''}${describeExpectation(parameters)}, but the page “${await page.title()}” (${page.url()}) ${absent ? 'still does' : 'does not'}.`,
    );
  },
};

/** Nothing is asked of the page meanwhile, so its loss would not show otherwise. */
async function neverWhileConnected(attachment: Attachment): Promise<false> {
  if (!attachment.isConnected) throw new Error('Connection closed');
  return false;
}

async function isMet({ page, element, parameters: { url, title, text } }: CommandContext<'EXPECT'>): Promise<boolean> {
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

function describeExpectation({ url, title, text, selector }: CommandContext<'EXPECT'>['parameters']): string {
  const parts = [
    url === undefined ? '' : `an address with “${url}”`,
    title === undefined ? '' : `a title with “${title}”`,
    text === undefined ? '' : `to see “${text}”`,
    selector === undefined ? '' : text === undefined ? `to see ${selector}` : `in ${selector}`,
  ];
  return parts.filter((part) => part !== '').join(' ');
}
