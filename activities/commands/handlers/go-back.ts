import { EngineError } from '../../failures';
import type { CommandHandler } from './command-handler';

export const goBack: CommandHandler = async ({ page, timeoutMs }) => {
  const before = page.url();
  const answer = await page.goBack({ timeout: timeoutMs, waitUntil: 'domcontentloaded' });
  if (answer === null && page.url() === before)
    throw new EngineError('EX004', 'There is no page to go back to in this tab.');
};
