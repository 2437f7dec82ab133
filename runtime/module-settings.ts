import { z } from 'zod';
import type { BaseModuleConfig } from '../contracts/modules/module-config';
import { DEFAULT_TIMEOUT_CONFIG } from '../contracts/sessions/timeouts';
import { SYSTEM_VERSION_TEXT } from '../contracts/modules/version';
import { createConfiguredLogger, readLogging } from './logging';
import type { Logger } from './process';
import { readSettings, SettingsError, type Settings } from './settings';

/** What a module that runs as a process is configured with: S1.42 (S1.R27), and the settings that all of them share. */
export type ModuleSettings = BaseModuleConfig & Settings & { metricsAddress: string | undefined };

const switched = z
  .enum(['on', 'off'])
  .default('on')
  .transform((value) => value === 'on');

const PerformanceSchema = z.object({
  SUREFOOT_MAX_OPERATIONS: z.coerce.number().int().min(1).max(10_000).default(100),
  SUREFOOT_WORKFLOW_CACHE: switched,
  SUREFOOT_WORKFLOW_CACHE_MS: z.coerce.number().int().min(1).max(60_000).default(300),
  SUREFOOT_METRICS: z
    .string()
    .regex(/^[\w.:[\]-]+:\d+$/, 'expected an address such as 127.0.0.1:9464')
    .optional(),
});

/**
 * `performance`: `maxConcurrentOperations` are the activities that a worker runs at once (SUREFOOT_MAX_OPERATIONS);
 * `cacheEnabled` and `cacheTTLMs` are about the workflows that a worker keeps in memory: whether it does, and how long a
 * task waits for the worker that has its workflow, which is what a killed one costs each of its sessions;
 * `metricsEnabled`: SUREFOOT_METRICS names an address at which Prometheus can read.
 */
export function readModuleSettings(moduleId: string, env: NodeJS.ProcessEnv = process.env): ModuleSettings {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''));
  const parsed = PerformanceSchema.safeParse(given);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new SettingsError(`The environment variable ${String(issue?.path[0])} is not usable: ${issue?.message}.`);
  }
  const values = parsed.data;
  return {
    ...readSettings(env),
    moduleId,
    version: SYSTEM_VERSION_TEXT,
    enabled: true,
    logging: readLogging(moduleId, env),
    performance: {
      maxConcurrentOperations: values.SUREFOOT_MAX_OPERATIONS,
      cacheEnabled: values.SUREFOOT_WORKFLOW_CACHE,
      cacheTTLMs: values.SUREFOOT_WORKFLOW_CACHE_MS,
      metricsEnabled: values.SUREFOOT_METRICS !== undefined,
    },
    timeouts: DEFAULT_TIMEOUT_CONFIG,
    metricsAddress: values.SUREFOOT_METRICS,
  };
}

/** The module's log, as its own settings say. */
export function createModuleLogger({ moduleId, logging }: BaseModuleConfig): Logger {
  return createConfiguredLogger(moduleId, logging);
}
