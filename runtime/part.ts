import { existsSync } from 'node:fs';
import { readModuleSettings, type ModuleSettings } from './module-settings';
import { makePrivate } from './private-folder';
import { announceReady, shutdownRequested, type Readiness } from './process';

/** What a worker, the API or the keeper gets from the process that it runs in, be that its own or another program's. */
export interface PartOptions {
  settings: ModuleSettings;
  env: NodeJS.ProcessEnv;
  /** Resolves when the part shall end: with what asked for it. */
  shutdown: Promise<string>;
  onReady(readiness: Readiness): void;
  /** The process has no other part, so it may end itself. */
  isOwnProcess: boolean;
}

/** A part that is the whole process: its settings are those of the environment, and signals end it. */
export function ownProcess(moduleId: string): PartOptions {
  const settings = readModuleSettings(moduleId);
  const warnings = existsSync(settings.home) ? makePrivate(settings.home, { isDeep: false }) : [];
  for (const warning of warnings) process.stderr.write(`${moduleId}: ${warning}\n`);
  return {
    settings,
    env: process.env,
    shutdown: shutdownRequested(),
    onReady: announceReady,
    isOwnProcess: true,
  };
}
