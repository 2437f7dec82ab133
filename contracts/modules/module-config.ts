import { z } from 'zod';
import { enumOf } from '../enum-of';
import { TimeoutConfigSchema } from '../sessions/timeouts';

/** S1.44, ordered DEBUG < INFO < WARN < ERROR. */
export enum LogLevel {
  DEBUG = 'DEBUG',
  INFO = 'INFO',
  WARN = 'WARN',
  ERROR = 'ERROR',
}

/** S1.43: which lines a module logs, and in which form; `prefix` such as `[StepProcessor]`. */
export const LoggingConfigSchema = z.strictObject({
  level: enumOf<LogLevel>(LogLevel),
  prefix: z.string(),
  includeTimestamp: z.boolean(),
  includeSessionId: z.boolean(),
  includeModuleId: z.boolean(),
  structured: z.boolean(),
});
export type LoggingConfig = z.infer<typeof LoggingConfigSchema>;

/** S1.45; `cacheTTLMs` in milliseconds. */
export const PerformanceConfigSchema = z.strictObject({
  maxConcurrentOperations: z.int().positive(),
  cacheEnabled: z.boolean(),
  cacheTTLMs: z.number().min(0),
  metricsEnabled: z.boolean(),
});
export type PerformanceConfig = z.infer<typeof PerformanceConfigSchema>;

/** S1.42: what the configuration of every module has (S1.R27). */
export const BaseModuleConfigSchema = z.strictObject({
  moduleId: z.string(),
  version: z.string(),
  enabled: z.boolean(),
  logging: LoggingConfigSchema,
  performance: PerformanceConfigSchema,
  timeouts: TimeoutConfigSchema,
});
export type BaseModuleConfig = z.infer<typeof BaseModuleConfigSchema>;
