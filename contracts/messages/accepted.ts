import { z } from 'zod';
import { enumOf } from '../enum-of';
import { SessionStatus } from '../sessions/session';

/** What a session answers to a message that it has applied. */
export const AcceptedSchema = z.object({
  status: enumOf<SessionStatus>(SessionStatus),
  pauseRequested: z.boolean(),
  totalSteps: z.number(),
});
export type Accepted = z.infer<typeof AcceptedSchema>;
