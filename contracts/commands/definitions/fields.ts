import { z } from 'zod';
import { defineCommand } from '../define-command';
import { quoted, toElementText } from '../element-text';
import { selector } from './members';
import { shortened } from '../../text';

export const fieldCommands = {
  INPUT_TEXT: defineCommand({
    parameters: z.strictObject({ selector, text: z.string() }),
    effect: 'idempotent',
    prompt: 'fill a field, editor or slider; dates as yyyy-mm-dd',
    summary: ({ selector: field, text }) => [toElementText(field), quoted(text, '<- ')],
    done: ({ text }, field) => `Wrote “${shortened(text, 200)}” into ${field}`,
  }),
  SELECT_OPTION: defineCommand({
    parameters: z
      .strictObject({
        selector,
        option: z.string().min(1).optional().describe('label or value of the option'),
        options: z.array(z.string().min(1)).max(50).optional().describe('of a list that takes several; empty for none'),
        mode: z.enum(['replace', 'add', 'remove']).optional().describe('what is chosen already goes unless it is add'),
      })
      .refine(({ option, options }) => (option === undefined) !== (options === undefined), {
        error: 'expected either option or options',
      }),
    effect: 'idempotent',
    rare: ['options', 'mode'],
    offered: { roles: ['combobox', 'listbox', 'radio', 'radiogroup'] },
    prompt: 'choose by label in a list, combobox or radio group',
    summary: ({ selector: list, option, options, mode }) => [
      toElementText(list),
      mode,
      quoted(option, '<- '),
      options && `<- ${options.length === 0 ? 'nothing' : options.map((each) => quoted(each)).join(', ')}`,
    ],
    done: ({ option, options, mode }, list) => {
      const chosen = (options ?? [option]).map((each) => `“${each}”`).join(', ');
      return chosen === ''
        ? `Chose nothing in ${list}`
        : `${mode === 'remove' ? 'Removed' : 'Chose'} ${chosen} in ${list}`;
    },
  }),
  SET_CHECKED: defineCommand({
    parameters: z.strictObject({ selector, checked: z.boolean() }),
    effect: 'idempotent',
    offered: { roles: ['checkbox', 'switch', 'radio'], states: /^pressed/ },
    prompt: 'set a box, switch, toggle or radio button',
    summary: ({ selector: box, checked }) => [toElementText(box), checked !== undefined && (checked ? 'on' : 'off')],
    done: ({ checked }, box) => `${checked ? 'Checked' : 'Unchecked'} ${box}`,
  }),
  FOCUS_ELEMENT: defineCommand({
    parameters: z.strictObject({ selector }),
    effect: 'idempotent',
    offered: { words: /focus/i },
    prompt: 'give a control the focus without clicking it',
    summary: ({ selector: element }) => [toElementText(element)],
    done: (_, element) => `The focus is in ${element}`,
  }),
};
