import { z } from 'zod';
import { defineCommand } from '../define-command';
import { quoted } from '../element-text';
import { maxCharacters } from './members';

export const snapshotCommands = {
  GET_DOM: defineCommand({
    parameters: z.strictObject({}),
    effect: 'pure',
    onlyLooks: true,
    prompt: 'look at the page again',
    summary: () => [],
  }),
  READ_PAGE: defineCommand({
    parameters: z.strictObject({ filter: z.enum(['all', 'interactive']).optional(), maxCharacters }),
    effect: 'pure',
    onlyLooks: true,
    summary: ({ filter }) => [filter],
  }),
  FIND_ELEMENTS: defineCommand({
    parameters: z.strictObject({ query: z.string().min(1).max(1000) }),
    effect: 'pure',
    onlyLooks: true,
    tool: {
      name: 'find',
      description: 'Up to 20 elements of the page by plain words, with their refs.',
      classification: 'read',
      summary: ({ query }) => `Look for “${query}” on the page`,
      isRemote: true,
    },
    summary: ({ query }) => [quoted(query)],
  }),
};
