import { z } from 'zod';
import { defineCommand } from '../define-command';
import { quoted } from '../element-text';

export const dialogCommands = {
  HANDLE_DIALOG: defineCommand({
    parameters: z.strictObject({
      accept: z.boolean().describe('what to answer to the dialogs of the next command that acts'),
      promptText: z.string().optional(),
    }),
    effect: 'pure',
    onlyLooks: true,
    offered: { words: /dialog|confirm|prompt|alert|accept|dismiss|delete|remove|cancel/i },
    prompt: 'answer the next alert, confirm or prompt, before it opens',
    summary: ({ accept, promptText }) => [
      accept !== undefined && (accept ? 'accept' : 'dismiss'),
      quoted(promptText, '<- '),
    ],
    done: ({ accept }) => `The next question of the page will be answered with ${accept ? 'yes' : 'no'}`,
  }),
};
