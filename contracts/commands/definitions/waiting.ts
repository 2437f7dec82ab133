import { z } from 'zod';
import { defineCommand } from '../define-command';
import { quoted, toElementText } from '../element-text';
import { selector } from './members';

/** States of an element that can be expected. */
export const ELEMENT_STATES = [
  'checked',
  'unchecked',
  'enabled',
  'disabled',
  'expanded',
  'collapsed',
  'focused',
  'empty',
  'filled',
  'required',
  'invalid',
  'valid',
] as const;
export type ElementState = (typeof ELEMENT_STATES)[number];

export const waitingCommands = {
  WAIT_FOR: defineCommand({
    parameters: z.strictObject({
      text: z.string().min(1).optional().describe('visible text, or the name, label or placeholder of a control'),
      hidden: z.boolean().optional().describe('wait until it is gone instead'),
      seconds: z
        .number()
        .min(0)
        .max(60)
        .optional()
        .describe('without text: wait that long; with text: at most that long'),
    }),
    effect: 'pure',
    onlyLooks: true,
    offered: { words: /wait|until|appear|load/i },
    prompt: 'wait until a text appears, or goes (hidden), or for some seconds',
    summary: ({ text, hidden, seconds }) => [
      quoted(text),
      hidden === true && 'hidden',
      seconds !== undefined && `${text === undefined ? '' : 'within '}${seconds} s`,
    ],
    done: ({ text, hidden, seconds }) =>
      text === undefined ? `Waited ${seconds} s` : `“${text}” is ${hidden === true ? 'gone' : 'there'}`,
  }),
  EXPECT: defineCommand({
    parameters: z.strictObject({
      text: z
        .string()
        .min(1)
        .optional()
        .describe('visible text of the page, or of the element when a selector is given'),
      selector: selector.optional(),
      url: z.string().min(1).optional().describe('part of the address'),
      title: z.string().min(1).optional().describe('part of the title'),
      absent: z.boolean().optional().describe('expect that it is not there'),
      roles: z
        .array(z.string().min(1))
        .min(1)
        .max(20)
        .optional()
        .describe('the text must be the name of an element of one of these ARIA roles'),
      count: z
        .number()
        .int()
        .min(0)
        .max(100_000)
        .optional()
        .describe('so many elements of the roles are shown, in the element or on the page'),
      state: z.enum(ELEMENT_STATES).optional().describe('of the element that the selector names'),
      matchCase: z.boolean().optional(),
    }),
    effect: 'pure',
    onlyLooks: true,
    rare: ['title', 'roles', 'count', 'state', 'matchCase'],
    offered: { words: /expect|check|verify|assert|make sure|ensure|should/i },
    prompt: 'fail where it is not there',
    summary: ({ text, selector: element, url, title, absent, roles, count, state }) => [
      toElementText(element),
      url,
      count !== undefined && String(count),
      roles?.[0],
      quoted(text, element === undefined ? '' : '<- '),
      quoted(title, 'title '),
      state,
      absent === true && 'absent',
    ],
  }),
};
