import { z } from 'zod';
import { CommandResponseSchema, ExecutorCommandSchema } from '../commands/commands';
import { StandardErrorSchema } from '../errors/standard-error';

/** S1.33. */
export enum StepStatus {
  PENDING = 'PENDING',
  IN_PROGRESS = 'IN_PROGRESS',
  COMPLETED = 'COMPLETED',
  FAILED = 'FAILED',
  CANCELLED = 'CANCELLED',
  SKIPPED = 'SKIPPED',
}

/** S1.28: outcome of one step; durations in milliseconds, commands and results in the order they ran. */
export const StepResultSchema = z.object({
  stepIndex: z.number(),
  success: z.boolean(),
  executedCommands: z.array(ExecutorCommandSchema),
  commandResults: z.array(CommandResponseSchema),
  aiReasoning: z.string(),
  duration: z.number(),
  error: StandardErrorSchema.optional(),
  finalPageState: z.object({ dom: z.string(), screenshotId: z.string(), url: z.string() }),
});
export type StepResult = z.infer<typeof StepResultSchema>;
