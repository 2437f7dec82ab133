import { z } from 'zod';

/** S1.46: the hierarchy of limits, all in milliseconds of active time, and the retry settings. */
export const TimeoutConfigSchema = z.strictObject({
  workflowTimeoutMs: z.number(),
  stepTimeoutMs: z.number(),
  requestTimeoutMs: z.number(),
  connectionTimeoutMs: z.number(),
  /** Checked, and without effect (S1.R20). */
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

/** From the upper level down. */
const HIERARCHY = ['workflowTimeoutMs', 'stepTimeoutMs', 'requestTimeoutMs', 'connectionTimeoutMs'] as const;

/** The given limits over the defaults. A default gives way to a lower limit above it, with a warning. */
export function withLoweredDefaults(given: { [K in keyof TimeoutConfig]?: TimeoutConfig[K] | undefined }): {
  timeouts: TimeoutConfig;
  warnings: string[];
} {
  const timeouts = timeoutValidator.inheritTimeouts(DEFAULT_TIMEOUT_CONFIG, given as Partial<TimeoutConfig>);
  const warnings: string[] = [];
  for (const [above, name] of HIERARCHY.slice(1).map((lower, index) => [HIERARCHY[index]!, lower] as const)) {
    const limit = timeouts[above];
    if (given[name] !== undefined || !(limit > 0 && limit < timeouts[name])) continue;
    warnings.push(`${name} is ${limit} instead of its default ${timeouts[name]}, because ${above} is ${limit}.`);
    timeouts[name] = limit;
  }
  return { timeouts, warnings };
}

function numberErrors(config: TimeoutConfig): string[] {
  const limits = LIMITS.filter((name) => !(Number.isFinite(config[name]) && config[name] > 0)).map(
    (name) => `${name} must be a positive number of milliseconds, got ${config[name]}`,
  );
  const retries = (['maxRetryAttempts', 'retryDelayMs'] as const)
    .filter((name) => !(Number.isFinite(config[name]) && config[name] >= 0))
    .map((name) => `${name} must be zero or more, got ${config[name]}`);
  return [...limits, ...retries];
}

function orderErrors(config: TimeoutConfig): string[] {
  return HIERARCHY.slice(1).flatMap((lower, index) => {
    const upper = HIERARCHY[index]!;
    if (!(config[upper] < config[lower])) return [];
    return [`${upper} (${config[upper]}) must be at least ${lower} (${config[lower]})`];
  });
}

/** Rules S1.R14 to S1.R17 are errors; S1.R18 is a warning with a recommendation, skipped without retries (S1.A11). */
export const timeoutValidator: TimeoutValidator = {
  validateTimeoutHierarchy(config) {
    const wrongNumbers = numberErrors(config);
    const errors = wrongNumbers.length > 0 ? wrongNumbers : orderErrors(config);
    const { maxRetryAttempts, retryDelayMs, stepTimeoutMs } = config;
    const isDelayTooLong = maxRetryAttempts > 0 && retryDelayMs >= stepTimeoutMs / maxRetryAttempts;
    if (!isDelayTooLong) return { isValid: errors.length === 0, errors, warnings: [] };
    return {
      isValid: errors.length === 0,
      errors,
      warnings: [
        `retryDelayMs (${retryDelayMs}) should be below stepTimeoutMs / maxRetryAttempts (${stepTimeoutMs / maxRetryAttempts})`,
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

export type RetrySettings = Pick<TimeoutConfig, 'maxRetryAttempts' | 'retryDelayMs' | 'exponentialBackoff'>;

const MAX_RETRY_DELAY_MS = 30_000;

export function retrySettings({ maxRetryAttempts, retryDelayMs, exponentialBackoff }: TimeoutConfig): RetrySettings {
  return { maxRetryAttempts, retryDelayMs, exponentialBackoff };
}

/** Delay before retry n = 1, 2, ... in milliseconds, capped at 30 s (S1.A13). */
export function retryDelayMs({ retryDelayMs: base, exponentialBackoff }: RetrySettings, retry: number): number {
  return Math.min(exponentialBackoff ? base * 2 ** (retry - 1) : base, MAX_RETRY_DELAY_MS);
}
