import { z } from 'zod';
import { defineCommand } from '../define-command';
import { quoted, toElementText } from '../element-text';
import { selector } from './members';

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
    prompt: 'wait until a text appears (or, hidden, is gone), or for some seconds',
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
    }),
    effect: 'pure',
    onlyLooks: true,
    prompt: 'check that something is there; fails when it is not',
    summary: ({ text, selector: element, url, title, absent }) => [
      toElementText(element),
      url,
      quoted(text, element === undefined ? '' : '<- '),
      quoted(title, 'title '),
      absent === true && 'absent',
    ],
  }),
};
