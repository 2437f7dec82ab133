import { z } from 'zod';

/** S1.37. */
export const StandardWarningSchema = z.object({
  id: z.string(),
  code: z.string(),
  message: z.string(),
  details: z.record(z.string(), z.any()).optional(),
  timestamp: z.coerce.date(),
  sessionId: z.string().optional(),
  stepIndex: z.number().optional(),
});
export type StandardWarning = z.infer<typeof StandardWarningSchema>;
