import { z } from 'zod';

/**
 * What the process of a caller says of a call of its own tool: it waits there for a person's answer, or it begins now. Of a
 * call that waits a loss of the process means that nothing ran; of every other one that nobody knows.
 */
export const ClientCallStatusSchema = z.strictObject({
  callId: z.string().min(1),
  /** As the call was sent. One that was sent elsewhere since is not this process's any more. */
  dispatch: z.int().min(1),
  state: z.enum(['asking', 'running']),
});
export type ClientCallStatus = z.infer<typeof ClientCallStatusSchema>;
