import { z } from 'zod';

/** What was erased of a session, and where something of it may be left. */
export const ErasedSessionSchema = z.object({
  sessionId: z.string(),
  /** Rows by table, and the files of artifacts. */
  erased: z.record(z.string(), z.number().int()),
  /** Runs whose history Temporal deletes. */
  temporalRuns: z.number().int(),
  /** A sentence for each place that this call does not reach. */
  left: z.array(z.string()),
});
export type ErasedSession = z.infer<typeof ErasedSessionSchema>;
