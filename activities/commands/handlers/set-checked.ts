import type { Command } from './command';

export const setChecked: Command = async ({ element, parameters, timeoutMs, signal }) => {
  await element!.setChecked(parameters.checked ?? true, { timeout: timeoutMs, signal });
};
