import { z } from 'zod';
import { defineCommand } from '../define-command';
import { pixel } from './members';

export const screenshotCommands = {
  TAKE_SCREENSHOT: defineCommand({
    parameters: z.strictObject({
      /** Left, top, right and bottom in CSS pixels of the view. */
      region: z.array(pixel).length(4).optional(),
    }),
    effect: 'pure',
    onlyLooks: true,
    summary: ({ region }) => [region?.join(', ')],
  }),
};
