import { z } from 'zod';

/** S1.46: the hierarchy of limits, all in milliseconds of active time, and the retry settings. */
export const TimeoutConfigSchema = z.strictObject({
  workflowTimeoutMs: z.number(),
  stepTimeoutMs: z.number(),
  requestTimeoutMs: z.number(),
  connectionTimeoutMs: z.number(),
  defaultOperationTimeoutMs: z.number(),
  maxRetryAttempts: z.number(),
  retryDelayMs: z.number(),
  exponentialBackoff: z.boolean(),
});
export type TimeoutConfig = z.infer<typeof TimeoutConfigSchema>;

/** S1.49. */
export const DEFAULT_TIMEOUT_CONFIG: TimeoutConfig = {
  workflowTimeoutMs: 1_800_000,
  stepTimeoutMs: 300_000,
  requestTimeoutMs: 30_000,
  connectionTimeoutMs: 10_000,
  defaultOperationTimeoutMs: 30_000,
  maxRetryAttempts: 3,
  retryDelayMs: 1000,
  exponentialBackoff: true,
};

/** S1.48. */
export const TimeoutValidationResultSchema = z.object({
  isValid: z.boolean(),
  errors: z.array(z.string()),
  warnings: z.array(z.string()),
  recommendations: z.array(z.string()).optional(),
});
export type TimeoutValidationResult = z.infer<typeof TimeoutValidationResultSchema>;

/** S1.47. */
export interface TimeoutValidator {
  validateTimeoutHierarchy(config: TimeoutConfig): TimeoutValidationResult;
  createDefaultTimeouts(): TimeoutConfig;
  inheritTimeouts(parentConfig: TimeoutConfig, overrides?: Partial<TimeoutConfig>): TimeoutConfig;
}

const LIMITS = [
  'workflowTimeoutMs',
  'stepTimeoutMs',
  'requestTimeoutMs',
  'connectionTimeoutMs',
  'defaultOperationTimeoutMs',
] as const;

function numberErrors(config: TimeoutConfig): string[] {
  const limits = LIMITS.filter((name) => !(Number.isFinite(config[name]) && config[name] > 0)).map(
    (name) => `S1.R17: ${name} must be a positive number of milliseconds, got ${config[name]}`,
  );
  const retries = (['maxRetryAttempts', 'retryDelayMs'] as const)
    .filter((name) => !(Number.isFinite(config[name]) && config[name] >= 0))
    .map((name) => `S1.A11: ${name} must be zero or more, got ${config[name]}`);
  return [...limits, ...retries];
}

function orderErrors(config: TimeoutConfig): string[] {
  const rules = [
    ['S1.R14', 'workflowTimeoutMs', 'stepTimeoutMs'],
    ['S1.R15', 'stepTimeoutMs', 'requestTimeoutMs'],
    ['S1.R16', 'requestTimeoutMs', 'connectionTimeoutMs'],
  ] as const;
  return rules
    .filter(([, upper, lower]) => config[upper] < config[lower])
    .map(([rule, upper, lower]) => `${rule}: ${upper} (${config[upper]}) must be at least ${lower} (${config[lower]})`);
}

/** Rules S1.R14 to S1.R17 are errors; S1.R18 is a warning with a recommendation, skipped without retries (S1.A11). */
export const timeoutValidator: TimeoutValidator = {
  validateTimeoutHierarchy(config) {
    const errors = [...numberErrors(config), ...orderErrors(config)];
    const { maxRetryAttempts, retryDelayMs, stepTimeoutMs } = config;
    const isDelayTooLong = maxRetryAttempts > 0 && retryDelayMs >= stepTimeoutMs / maxRetryAttempts;
    if (!isDelayTooLong) return { isValid: errors.length === 0, errors, warnings: [] };
    return {
      isValid: errors.length === 0,
      errors,
      warnings: [
        `S1.R18: retryDelayMs (${retryDelayMs}) should be below stepTimeoutMs / maxRetryAttempts (${stepTimeoutMs / maxRetryAttempts})`,
      ],
      recommendations: ['Lower retryDelayMs or maxRetryAttempts, or raise stepTimeoutMs.'],
    };
  },
  createDefaultTimeouts: () => ({ ...DEFAULT_TIMEOUT_CONFIG }),
  inheritTimeouts(parentConfig, overrides = {}) {
    const given = Object.fromEntries(Object.entries(overrides).filter(([, value]) => value !== undefined));
    return { ...parentConfig, ...given };
  },
};

/** Delay before retry n = 1, 2, ... in milliseconds, capped at 30 s (S1.A13). */
export const MAX_RETRY_DELAY_MS = 30_000;
