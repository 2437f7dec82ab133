import type { CommandHandler } from './command-handler';

export const setChecked: CommandHandler = async ({ element, parameters, timeoutMs, signal }) => {
  await element!.setChecked(parameters.checked ?? true, { timeout: timeoutMs, signal });
};
