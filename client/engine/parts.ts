import { runApi } from '../../api/run-api';
import { runHostKeeper } from '../../worker/keeper/run-keeper';
import { readModuleSettings } from '../../runtime/module-settings';
import type { PartOptions } from '../../runtime/part';
import type { Readiness } from '../../runtime/process';
import { runBrowserWorker } from '../../worker/run-browser-worker';
import { runEngineWorker } from '../../worker/run-engine-worker';

export interface PartStart {
  /** The settings; the environment of the process where it is left out. */
  env?: NodeJS.ProcessEnv | undefined;
}

/** A part of Surefoot that runs in this process. */
export interface RunningPart extends Readiness {
  /** Resolves when the part has ended, and rejects where it failed. */
  ended: Promise<void>;
  /** Lets it finish what it is at, within SUREFOOT_DRAIN_MS, and ends it. */
  stop(): Promise<void>;
}

/** Starts a worker for workflows, model calls and tools. Waits for the database and Temporal where they are away. */
export const startEngineWorker = (start?: PartStart): Promise<RunningPart> =>
  startPart('engine-worker', runEngineWorker, start);

/** Starts a worker that drives the Chromes of this host, which needs a keeper. */
export const startBrowserWorker = (start?: PartStart): Promise<RunningPart> =>
  startPart('browser-worker', runBrowserWorker, start);

/** Starts the REST API on HOST and PORT; `address` is its URL. */
export const startApi = (start?: PartStart): Promise<RunningPart> => startPart('api', runApi, start);

/**
 * Starts the keeper of this host, which holds its Chromes. They outlive it, for the next one to adopt, unless
 * SUREFOOT_END_BROWSERS is 1. A process of its own (`surefoot keeper`) outlives your program too.
 */
export const startKeeper = (start?: PartStart): Promise<RunningPart> => startPart('keeper', runHostKeeper, start);

async function startPart(
  moduleId: string,
  run: (options: PartOptions) => Promise<void>,
  { env = process.env }: PartStart = {},
): Promise<RunningPart> {
  const asked = Promise.withResolvers<string>();
  const ready = Promise.withResolvers<Readiness>();
  const settings = readModuleSettings(moduleId, env);
  const ended = run({ settings, env, shutdown: asked.promise, onReady: ready.resolve, isOwnProcess: false });
  // Of a part that fails before it is ready, the start rejects.
  ended.catch(ready.reject);
  const readiness = await ready.promise;
  return {
    ...readiness,
    ended,
    async stop() {
      asked.resolve('its program');
      await ended;
    },
  };
}
