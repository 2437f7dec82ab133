import { isTargetClosed } from '../../browsers/playwright-errors';
import type { CommandHandler } from './command-handler';

export const clickElement: CommandHandler = async ({ attachment, page, element, parameters, timeoutMs }) => {
  const { button, clicks, modifiers } = parameters;
  const manner = {
    ...(button === undefined ? {} : { button }),
    ...(clicks === undefined ? {} : { clickCount: clicks }),
    ...(modifiers === undefined ? {} : { modifiers }),
  };
  try {
    await element!.click({ timeout: timeoutMs, ...manner });
  } catch (error) {
    // A press on a “Close” button takes its own tab away before it can be confirmed.
    if (!isTargetClosed(error) || !page.isClosed() || (await attachment.isLost())) throw error;
  }
};
