import { z } from 'zod';
import { StartRequestSchema } from './start-request';

/** How a session goes on from another one: its state before a step, and what differs. */
export const ForkRequestSchema = z.strictObject({
  fromStep: z.int().min(1).meta({ description: 'The first step of the new session, counted from 1', example: 8 }),
  steps: StartRequestSchema.shape.steps
    .optional()
    .meta({ description: 'What runs from there on in place of the steps of the session' }),
  variables: StartRequestSchema.shape.variables.meta({ description: 'Values that differ, by name' }),
  tenant: StartRequestSchema.shape.tenant.meta({ description: 'Another tenant than that of the session' }),
  priority: StartRequestSchema.shape.priority,
  secrets: StartRequestSchema.shape.secrets.meta({
    description: 'Secrets of the steps, and of the login steps of the profile: a fork never copies them',
  }),
});
export type ForkRequest = z.input<typeof ForkRequestSchema>;
