import type { Command } from './command';

/** Replaces what the field held. */
export const inputText: Command = async ({ element, parameters, timeoutMs, signal }) => {
  await element!.fill(parameters.text ?? '', { timeout: timeoutMs, signal });
};
