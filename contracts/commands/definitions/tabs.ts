import { z } from 'zod';
import { defineCommand } from '../define-command';

export const tabCommands = {
  SWITCH_TAB: defineCommand({
    parameters: z.strictObject({
      tab: z.string().min(1).describe('`last`, `first`, `next`, a number from 1, or part of a title or address'),
    }),
    effect: 'idempotent',
    prompt: 'go to the last, first or next tab, to one by number, or by part of its title or address',
    summary: ({ tab }) => [tab !== undefined && `tab ${tab}`],
    done: ({ tab }) => `Went to the tab “${tab}”`,
  }),
  LIST_TABS: defineCommand({
    parameters: z.strictObject({}),
    effect: 'pure',
    onlyLooks: true,
    summary: () => [],
  }),
};
