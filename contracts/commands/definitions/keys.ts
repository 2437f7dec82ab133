import { z } from 'zod';
import { defineCommand } from '../define-command';
import { quoted, toElementText } from '../element-text';
import { selector } from './members';
import { shortened } from '../../text';

/** Commands that go to the element that has the focus, unless they name another. */
export const keyCommands = {
  PRESS_KEY: defineCommand({
    parameters: z.strictObject({
      key: z.string().min(1).describe('e.g. Enter, Escape, Control+A'),
      selector: selector.optional(),
    }),
    effect: 'commit',
    events: ['keydown'],
    mayOpenTab: true,
    offered: { roles: ['textbox', 'searchbox', 'combobox', 'dialog'], words: /press|\bkey|enter|escape/i },
    prompt: 'press a key such as Enter or Control+A',
    summary: ({ key, selector: element }) => [toElementText(element), key],
    done: ({ key }, element) => `Pressed ${key}${element === '' ? '' : ` in ${element}`}`,
  }),
  TYPE_TEXT: defineCommand({
    parameters: z.strictObject({ text: z.string().min(1) }),
    effect: 'commit',
    events: ['keydown', 'input'],
    summary: ({ text }) => [quoted(text)],
    done: ({ text }) => `Typed “${shortened(text, 200)}”`,
  }),
};
