import type { keyCommands } from '../../../../contracts/commands/definitions/keys';
import { EngineError } from '../../../activity/failures';
import type { CommandHandlers } from './command-handler';

export const keyHandlers: CommandHandlers<typeof keyCommands> = {
  async PRESS_KEY({ page, element, parameters: { key }, timeoutMs }) {
    try {
      await (element === undefined ? page.keyboard.press(key) : element.press(key, { timeout: timeoutMs }));
    } catch (error) {
      if (!(error instanceof Error) || !error.message.includes('Unknown key')) throw error;
      throw new EngineError(
        'SM002',
        `There is no key “${key}”. Keys are named like Enter, Escape, ArrowDown, a, Control+A.`,
      );
    }
  },

  /** Adds to what the focused field has. */
  async TYPE_TEXT({ page, parameters: { text } }) {
    await page.keyboard.type(text);
  },
};
