import type { Command } from './command';

export const clickElement: Command = async ({ element, timeoutMs }) => {
  await element!.click({ timeout: timeoutMs });
};
