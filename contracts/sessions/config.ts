import { z } from 'zod';
import { AgentConfigSchema, type AgentConfig } from '../tasks/agent-config';
import { BudgetInputSchema, type Budget } from '../models/budget';
import { BrowserTypeSchema } from '../browsers/browser-type';
import { IsolationSchema } from '../browsers/isolation';
import { IdempotencyConfigSchema, type Idempotency } from '../browsers/idempotency';
import { InvestigationModeSchema, type InvestigationMode } from '../steps/investigation';
import { ReadingSchema, type Reading } from '../models/reading';
import { ObservationConfigSchema, type ObservationConfig } from '../browsers/observation';
import type { SessionNetwork } from '../browsers/network-policy';
import { OriginPatternSchema } from '../browsers/origins';
import { ReplayModeSchema, type ReplayMode } from '../recipes/replay-mode';
import { FailureReportSchema, type FailureReport } from './failure-report';
import { OnceSchema, type Once } from './once';
import { OutcomePolicySchema, type OutcomePolicy } from './outcome-policy';
import { TimeoutConfigSchema, type TimeoutConfig } from './timeouts';
import { WebhookSchema, type Webhook } from './webhook';

/** S1.24; `timeoutMs` in milliseconds. */
export const AIProcessingConfigSchema = z.strictObject({
  connectionId: z.string().min(1),
  model: z.string().min(1),
  temperature: z.number().min(0).max(2),
  maxTokens: z.int().positive(),
  timeoutMs: z.int().positive(),
});
export type AIProcessingConfig = z.infer<typeof AIProcessingConfigSchema>;

/** S1.25; `timeoutMs` in milliseconds. */
export const ExecutorProcessingConfigSchema = z.strictObject({
  browserType: BrowserTypeSchema,
  headless: z.boolean(),
  timeoutMs: z.int().positive(),
  screenshotsEnabled: z.boolean(),
});
export type ExecutorProcessingConfig = z.infer<typeof ExecutorProcessingConfigSchema>;

/** S1.26. */
export const StreamProcessingConfigSchema = z.strictObject({
  bufferSize: z.int().positive(),
  maxHistorySize: z.int().positive(),
  compressionEnabled: z.boolean(),
});
export type StreamProcessingConfig = z.infer<typeof StreamProcessingConfigSchema>;

/** S1.57.3: what becomes of a reply that does not fit its schema, after one repair round: an error, or defaults and a warning. */
export const ValidationModeSchema = z.enum(['strict', 'lenient']);
export type ValidationMode = z.infer<typeof ValidationModeSchema>;

/** S1.3. */
export const WorkflowConfigSchema = z.strictObject({
  aiConnectionId: z.string().min(1).optional(),
  browserType: BrowserTypeSchema.optional(),
  enableStreaming: z.boolean().optional(),
  streamConfig: StreamProcessingConfigSchema.optional(),
  executorConfig: ExecutorProcessingConfigSchema.optional(),
  aiConfig: AIProcessingConfigSchema.optional(),
  maxExecutionTime: z.int().positive().optional(),
  metadata: z.record(z.string(), z.any()).optional(),
});
export type WorkflowConfig = z.infer<typeof WorkflowConfigSchema>;

/**
 * S1.3 and S1.23 as the edge takes them: the nested configs may be partial (S1.A2), with `timeouts`, `maxIterations`,
 * `validationMode` and `investigation` beside them. `observation`, `budget` and further members of `executorConfig` are extensions.
 */
export const StartConfigSchema = WorkflowConfigSchema.extend({
  streamConfig: StreamProcessingConfigSchema.partial().optional(),
  executorConfig: ExecutorProcessingConfigSchema.extend({
    idempotency: IdempotencyConfigSchema,
    allowedOrigins: z
      .array(OriginPatternSchema)
      .min(1, 'name an origin, or leave it out to allow all public ones')
      .max(100),
    allowPrivateAddresses: z.boolean(),
  })
    .partial()
    .optional(),
  aiConfig: AIProcessingConfigSchema.partial().optional(),
  timeouts: TimeoutConfigSchema.partial().optional(),
  maxIterations: z.int().min(1).max(100).optional(),
  validationMode: ValidationModeSchema.optional(),
  observation: ObservationConfigSchema.partial().optional(),
  enableReflection: z.boolean().optional(),
  retryOnFailure: z.boolean().optional(),
  maxRetries: z.int().min(0).max(100).optional(),
  parallelExecution: z.boolean().optional(),
  investigation: InvestigationModeSchema.optional(),
  reading: ReadingSchema.optional(),
  replay: ReplayModeSchema.optional(),
  outcomes: OutcomePolicySchema.partial().optional(),
  agent: AgentConfigSchema.partial().optional(),
  budget: BudgetInputSchema.optional(),
  webhook: WebhookSchema.optional(),
  report: FailureReportSchema.optional().meta({ description: 'Who gets a mail when the session has failed' }),
  once: OnceSchema.optional(),
  isolation: IsolationSchema.optional().meta({
    description: 'context: shares a Chrome with other sessions of its tenant; process, by default: has one of its own',
  }),
  recording: z
    .boolean()
    .optional()
    .meta({ description: 'Keeps a film of what the browser shows while the session acts; false by default' }),
});
export type StartConfig = z.infer<typeof StartConfigSchema>;

/** What a session runs with: every default filled in, either-or names agreed, the hierarchy checked. */
export interface SessionConfig {
  ai: AIProcessingConfig;
  executor: ExecutorProcessingConfig & {
    idempotency?: Idempotency;
    network?: SessionNetwork;
    recording?: true;
    isolation?: 'context';
  };
  stream: StreamProcessingConfig;
  enableStreaming: boolean;
  timeouts: TimeoutConfig;
  maxIterations: number;
  validationMode: ValidationMode;
  observation: ObservationConfig;
  enableReflection: boolean;
  /** Whether a step that failed is tried again, and how often (S1.A24). */
  retryOnFailure: boolean;
  maxRetries: number;
  /** Its steps run at once, each as a session of its own. */
  parallelExecution?: true;
  investigation: InvestigationMode;
  /** Absent where the list of models says it. */
  reading?: Reading;
  /** Absent where the workers' own setting says it (SUREFOOT_REPLAY). */
  replay?: ReplayMode;
  /** What of a page speaks against a step; absent where everything does. */
  outcomes?: OutcomePolicy;
  agent: AgentConfig;
  /** The request names an approval mode: its steps ask as its tasks do. Without one they are a person's own words. */
  asksInSteps?: true;
  /** Absent where there is no limit. */
  budget?: Budget;
  /** Where it is reported that a person is needed, and that the session has ended. */
  webhook?: Webhook;
  /** Who gets a mail when it has failed. */
  report?: FailureReport;
  /** One key for all steps that have none of their own. */
  once?: Once;
}

export const DEFAULT_MAX_ITERATIONS = 8;
export const DEFAULT_MAX_RETRIES = 3;
export const DEFAULT_AI_CONNECTION = 'default';
/** Stands for the model of the workers' own settings (SUREFOOT_MODEL), until the session is opened. */
export const DEFAULT_MODEL = 'default';
