import { z } from 'zod';
import { defineCommand } from '../define-command';

export const scriptCommands = {
  RUN_SCRIPT: defineCommand({
    parameters: z.strictObject({ script: z.string().min(1).max(100_000) }),
    effect: 'commit',
    events: [],
    summary: () => [],
  }),
};
