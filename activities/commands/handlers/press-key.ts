import { EngineError } from '../../failures';
import type { CommandHandler } from './command-handler';

/** To the element, or to whatever has the focus. */
export const pressKey: CommandHandler = async ({ page, element, parameters, timeoutMs }) => {
  const key = parameters.key ?? '';
  try {
    await (element === undefined ? page.keyboard.press(key) : element.press(key, { timeout: timeoutMs }));
  } catch (error) {
    if (!(error instanceof Error) || !error.message.includes('Unknown key')) throw error;
    throw new EngineError(
      'SM002',
      `There is no key “${key}”. Keys are named like Enter, Escape, ArrowDown, a, Control+A.`,
    );
  }
};
