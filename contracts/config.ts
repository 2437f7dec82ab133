import { z } from 'zod';
import { IdempotencyConfigSchema, type Idempotency } from './idempotency';
import { TimeoutConfigSchema, type TimeoutConfig } from './timeouts';

export const BrowserTypeSchema = z.enum(['chromium', 'firefox', 'webkit']);

/** S1.24; `timeoutMs` in milliseconds. */
export const AIProcessingConfigSchema = z.strictObject({
  connectionId: z.string().min(1),
  model: z.string().min(1),
  temperature: z.number().min(0).max(2),
  maxTokens: z.int().positive(),
  timeoutMs: z.int().positive(),
});

/** S1.25; `timeoutMs` in milliseconds. `idempotency` is an extension and off when left out. */
export const ExecutorProcessingConfigSchema = z.strictObject({
  browserType: BrowserTypeSchema,
  headless: z.boolean(),
  timeoutMs: z.int().positive(),
  screenshotsEnabled: z.boolean(),
  idempotency: IdempotencyConfigSchema.optional(),
});

/** S1.26. */
export const StreamProcessingConfigSchema = z.strictObject({
  bufferSize: z.int().positive(),
  maxHistorySize: z.int().positive(),
  compressionEnabled: z.boolean(),
});

/** S1.3 as a caller sends it: the nested configs may be partial (S1.A2), with `timeouts` and `maxIterations` beside them. */
export const WorkflowConfigSchema = z.strictObject({
  aiConnectionId: z.string().min(1).optional(),
  browserType: BrowserTypeSchema.optional(),
  enableStreaming: z.boolean().optional(),
  streamConfig: StreamProcessingConfigSchema.partial().optional(),
  executorConfig: ExecutorProcessingConfigSchema.partial().optional(),
  aiConfig: AIProcessingConfigSchema.partial().optional(),
  maxExecutionTime: z.int().positive().optional(),
  metadata: z.record(z.string(), z.any()).optional(),
  timeouts: TimeoutConfigSchema.partial().optional(),
  maxIterations: z.int().min(1).max(100).optional(),
});
export type WorkflowConfig = z.infer<typeof WorkflowConfigSchema>;

/** What a session runs with: every default filled in, either-or names agreed, the hierarchy checked. */
export interface SessionConfig {
  ai: z.infer<typeof AIProcessingConfigSchema>;
  executor: Omit<z.infer<typeof ExecutorProcessingConfigSchema>, 'idempotency'> & { idempotency?: Idempotency };
  stream: z.infer<typeof StreamProcessingConfigSchema>;
  timeouts: TimeoutConfig;
  maxIterations: number;
}

export const DEFAULT_MAX_ITERATIONS = 8;
export const DEFAULT_AI_CONNECTION = 'default';
/** Stands for the model of the workers' own settings (SUREFOOT_MODEL), until the session is opened. */
export const DEFAULT_MODEL = 'default';
