import { z } from 'zod';
import { defineCommand } from '../define-command';
import { quoted, toElementText } from '../element-text';
import { selector } from './members';
import { shortened } from '../../text';

export const fieldCommands = {
  INPUT_TEXT: defineCommand({
    parameters: z.strictObject({ selector, text: z.string() }),
    effect: 'idempotent',
    prompt: 'replace what a field holds with this text',
    summary: ({ selector: field, text }) => [toElementText(field), quoted(text, '<- ')],
    done: ({ text }, field) => `Wrote “${shortened(text, 200)}” into ${field}`,
  }),
  SELECT_OPTION: defineCommand({
    parameters: z.strictObject({ selector, option: z.string().min(1).describe('label or value of the option') }),
    effect: 'idempotent',
    prompt: 'choose an option of a list by its label',
    summary: ({ selector: list, option }) => [toElementText(list), quoted(option, '<- ')],
    done: ({ option }, list) => `Chose “${option}” in ${list}`,
  }),
  SET_CHECKED: defineCommand({
    parameters: z.strictObject({ selector, checked: z.boolean() }),
    effect: 'idempotent',
    prompt: 'check or uncheck a checkbox, or choose a radio button',
    summary: ({ selector: box, checked }) => [toElementText(box), checked !== undefined && (checked ? 'on' : 'off')],
    done: ({ checked }, box) => `${checked ? 'Checked' : 'Unchecked'} ${box}`,
  }),
};
