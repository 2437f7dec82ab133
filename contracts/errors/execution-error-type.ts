import { z } from 'zod';

/** S3.A11. */
export const ExecutionErrorTypeSchema = z.enum([
  'timeout',
  'browser_disconnected',
  'rate_limited',
  'llm_error',
  'validation',
  'internal',
  'cancelled',
  'max_steps',
]);
export type ExecutionErrorType = z.infer<typeof ExecutionErrorTypeSchema>;
