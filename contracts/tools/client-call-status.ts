import { z } from 'zod';

/**
 * Reported by the caller's process for a call of its own tool: it waits for a person's answer, or it begins now. When the
 * process is lost, nothing of a waiting call has run; of any other call nobody knows.
 */
export const ClientCallStatusSchema = z.strictObject({
  callId: z.string().min(1),
  /** The number of the dispatch: a call that was dispatched again belongs to another process. */
  dispatch: z.int().min(1),
  state: z.enum(['asking', 'running']),
});
export type ClientCallStatus = z.infer<typeof ClientCallStatusSchema>;
