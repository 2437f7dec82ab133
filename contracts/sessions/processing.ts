import { z } from 'zod';
import { enumOf } from '../enum-of';
import {
  AIProcessingConfigSchema,
  ExecutorProcessingConfigSchema,
  StreamProcessingConfigSchema,
  ValidationModeSchema,
  type SessionConfig,
} from './config';
import { SessionStatus } from './session';

/** S1.23: a run's configuration with everything decided; `maxExecutionTime` in milliseconds (another name of workflowTimeoutMs). */
export const ProcessingConfigSchema = z.strictObject({
  maxExecutionTime: z.int().positive(),
  enableStreaming: z.boolean(),
  enableReflection: z.boolean(),
  retryOnFailure: z.boolean(),
  maxRetries: z.int().min(0),
  parallelExecution: z.boolean(),
  aiConfig: AIProcessingConfigSchema,
  executorConfig: ExecutorProcessingConfigSchema,
  streamConfig: StreamProcessingConfigSchema.optional(),
});
export type ProcessingConfig = z.infer<typeof ProcessingConfigSchema>;

/** S1.57: options of one step. */
export const ProcessingOptionsSchema = z.strictObject({
  maxIterations: z.int().min(1).optional(),
  reflectionEnabled: z.boolean().optional(),
  validationMode: ValidationModeSchema.optional(),
  timeoutMs: z.int().positive().optional(),
  retryOnFailure: z.boolean().optional(),
  maxRetries: z.int().min(0).optional(),
  aiConfig: AIProcessingConfigSchema.optional(),
});
export type ProcessingOptions = z.infer<typeof ProcessingOptionsSchema>;

/** S1.22. */
export const StepProcessingRequestSchema = z.strictObject({
  steps: z.array(z.string()),
  config: ProcessingConfigSchema,
  metadata: z.record(z.string(), z.any()).optional(),
});
export type StepProcessingRequest = z.infer<typeof StepProcessingRequestSchema>;

/** The configuration of a session in S1's form, with every default. */
export function processingRequestOf(
  steps: readonly string[],
  config: SessionConfig,
  metadata: Record<string, unknown>,
): StepProcessingRequest {
  const { ai, executor, stream, timeouts, enableStreaming, enableReflection, retryOnFailure, maxRetries } = config;
  const { browserType, headless, timeoutMs, screenshotsEnabled } = executor;
  return {
    steps: [...steps],
    config: {
      maxExecutionTime: timeouts.workflowTimeoutMs,
      enableStreaming,
      enableReflection,
      retryOnFailure,
      maxRetries,
      parallelExecution: config.parallelExecution === true,
      aiConfig: ai,
      executorConfig: { browserType, headless, timeoutMs, screenshotsEnabled },
      streamConfig: stream,
    },
    metadata,
  };
}

/** S1.27: the answer as soon as the session exists; the run goes on in the background (S1.A27). */
export const StepProcessingResultSchema = z.object({
  sessionId: z.string(),
  streamId: z.string().optional(),
  initialStatus: enumOf<SessionStatus>(SessionStatus),
  estimatedDuration: z.number().optional(),
  createdAt: z.coerce.date(),
});
export type StepProcessingResult = z.infer<typeof StepProcessingResultSchema>;
