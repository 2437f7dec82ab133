import { renameSync, writeFileSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import type { Logger } from 'pino';
import { printable } from '../contracts/printable';
import { installClock } from './clock';
import { faultRefusal } from './fault-point';
import { createConfiguredLogger, readLogging } from './logging';
import { PRIVATE } from './private-folder';
import { SUPERVISION } from './settings/process-definitions';
import { readSetting } from './settings/setting';

export type { Logger };

/** Lines on standard output, as LOG_LEVEL and LOG_FORMAT ask for. */
export function createLogger(name: string): Logger {
  return createConfiguredLogger(name, readLogging(name));
}

/** The addresses of a process that is ready. */
export interface Readiness {
  port?: number;
  address?: string;
}

/** Writes the file SUREFOOT_READY_FILE, by which the supervisor learns that this process is ready; none where it is not set. */
export function announceReady(readiness: Readiness): void {
  const file = readSetting(SUPERVISION.readyFile, process.env);
  if (file === undefined) return;
  writeFileSync(`${file}.part`, JSON.stringify({ pid: process.pid, ...readiness }));
  renameSync(`${file}.part`, file);
  // Node keeps what it compiled when it ends (NODE_COMPILE_CACHE); a process that is killed would leave nothing.
  setImmediate(flushCompileCache);
}

/** Resolves at the first SIGTERM or SIGINT; a second one ends the process at once. */
export function shutdownRequested(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let isAsked = false;
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.on(signal, () => {
        if (isAsked) process.exit(1);
        isAsked = true;
        resolve(signal);
      });
    }
  });
}

/** Runs the main function of a process: an error it can't handle is printed, and the exit code is 1. */
export function runMain(name: string, main: () => Promise<void>): void {
  // What it makes, and what its children make, is for its owner alone.
  process.umask(PRIVATE.umask);
  const refusal = faultRefusal(process.env);
  if (refusal !== undefined) {
    process.stderr.write(`${name}: ${refusal}\n`);
    process.exit(1);
  }
  installClock(process.env);
  main().then(
    () => process.exit(0),
    (error: unknown) => {
      const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
      process.stderr.write(printable(`${name}: ${text}\n`));
      process.exit(1);
    },
  );
}
