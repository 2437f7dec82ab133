import type { BaseModuleConfig } from '../contracts/modules/module-config';
import { DEFAULT_TIMEOUT_CONFIG } from '../contracts/sessions/timeouts';
import { SYSTEM_VERSION_TEXT } from '../contracts/modules/version';
import { createConfiguredLogger, readLogging } from './logging';
import type { Logger } from './process';
import { readSettings, type Settings } from './settings/settings';

/** What a module that runs as a process is configured with: S1.42 (S1.R27), and the settings that all of them share. */
export type ModuleSettings = BaseModuleConfig & Settings;

export function readModuleSettings(moduleId: string, env: NodeJS.ProcessEnv = process.env): ModuleSettings {
  const settings = readSettings(env);
  return {
    ...settings,
    moduleId,
    version: SYSTEM_VERSION_TEXT,
    enabled: true,
    logging: readLogging(moduleId, env),
    performance: { ...settings.performance, metricsEnabled: settings.metricsAddress !== undefined },
    timeouts: DEFAULT_TIMEOUT_CONFIG,
  };
}

/** The module's log, as its own settings say. */
export function createModuleLogger({ moduleId, logging }: BaseModuleConfig): Logger {
  return createConfiguredLogger(moduleId, logging);
}
