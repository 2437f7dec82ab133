import { z } from 'zod';
import { defineCommand } from '../define-command';
import { quoted, toElementText } from '../element-text';
import { selector } from './members';
import { shortened } from '../../text';

export const fieldCommands = {
  INPUT_TEXT: defineCommand({
    parameters: z.strictObject({ selector, text: z.string() }),
    effect: 'idempotent',
    prompt:
      'replace what a field, editor or slider holds; dates as yyyy-mm-dd, times as hh:mm, months as yyyy-mm, colours as #ff0000',
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
    prompt:
      'choose by its label in a list, combobox, radio group or segmented control, open or closed; several with options, and mode add or remove keeps the others',
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
    prompt: 'check or uncheck a checkbox, switch or toggle button, or choose a radio button',
    summary: ({ selector: box, checked }) => [toElementText(box), checked !== undefined && (checked ? 'on' : 'off')],
    done: ({ checked }, box) => `${checked ? 'Checked' : 'Unchecked'} ${box}`,
  }),
  FOCUS_ELEMENT: defineCommand({
    parameters: z.strictObject({ selector }),
    effect: 'idempotent',
    prompt: 'give a control the focus without clicking it',
    summary: ({ selector: element }) => [toElementText(element)],
    done: (_, element) => `The focus is in ${element}`,
  }),
};
