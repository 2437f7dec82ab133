import { isHttpUrl } from '../../../contracts/browsers/origins';
import { EngineError } from '../../failures';
import type { CommandHandler } from './command-handler';

export const openPage: CommandHandler = async ({ page, parameters, timeoutMs, signal }) => {
  const url = parameters.url ?? '';
  if (!isHttpUrl(url) && url !== 'about:blank') {
    throw new EngineError('SM002', `OPEN_PAGE needs an absolute http or https address, got “${url}”.`);
  }
  await page.goto(url, { timeout: timeoutMs, waitUntil: 'domcontentloaded', signal });
};
