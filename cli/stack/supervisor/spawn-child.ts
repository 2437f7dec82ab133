import { spawn, type SpawnOptions } from 'node:child_process';
import { closeSync, fstatSync, rmSync } from 'node:fs';
import type { Readiness } from '../../../runtime/process';
import type { EndSignal, StopSignal } from './end-process';
import { openLog } from './log-file';
import { startTicksOf } from '../../../runtime/process-identity';
import { readyFilePath, writeRunRecord, type RunRecord } from './run-files';

/** A process that the supervisor starts, and restarts when it dies. */
export interface ChildSpec {
  name: string;
  command: string;
  args: readonly string[];
  env: NodeJS.ProcessEnv;
  /** Kept over all restarts. */
  port?: number;
  address?: string;
  cwd?: string;
  user?: { uid: number; gid: number };
  stopSignal: StopSignal;
  /** Ends the process at once; SIGKILL by default. */
  endSignal?: EndSignal;
  /** Lower ones are stopped first. */
  stopOrder: number;
  /**
   * It may be killed at any moment: after a restart, one that does not become ready in time is killed and restarted.
   */
  isExpendable?: boolean;
  /**
   * It needs no other process. Where it ends again and again before it is ready, the stack ends with its last words and
   * with what this says to do.
   */
  advice?: () => string;
  readyWithinMs?: number;
  /** Resolves to the address once the process is ready, to undefined before. */
  probe(pid: number): Promise<Readiness | undefined>;
  /** Runs before every start. */
  prepare?(): Promise<void>;
}

/** How a run of a child ended. */
export interface ChildEnd {
  /** The second half of a sentence. */
  reason: string;
  /** True where no signal ended it. */
  wasByItself: boolean;
}

/** One run of a child, from its start to its end. */
export interface ChildRun {
  pid: number | undefined;
  record: RunRecord | undefined;
  /** Size of its log when it began. */
  logStart: number;
  ended: Promise<ChildEnd>;
}

export function spawnChild(spec: ChildSpec, home: string, restarts: number): ChildRun {
  rmSync(readyFilePath(home, spec.name), { force: true });
  const log = openLog(home, spec.name);
  const logStart = fstatSync(log).size;
  const child = spawn(spec.command, spec.args, {
    // Its own process group, so that Ctrl-C reaches only the supervisor, which stops all in order.
    detached: true,
    stdio: ['ignore', log, log],
    env: { ...spec.env, SUREFOOT_READY_FILE: readyFilePath(home, spec.name) },
    ...(spec.cwd === undefined ? {} : { cwd: spec.cwd }),
    ...spec.user,
  } satisfies SpawnOptions);
  closeSync(log);
  const ended = new Promise<ChildEnd>((resolve) => {
    child.once('error', (error) => resolve({ reason: `it could not be started: ${error.message}`, wasByItself: true }));
    child.once('exit', (code, signal) =>
      resolve({
        reason: signal === null ? `it ended with code ${code}` : `it got ${signal}`,
        wasByItself: signal === null,
      }),
    );
  });
  // The record is written before any await, so that it exists even if the supervisor is killed now.
  return { pid: child.pid, record: recordOf(spec, home, restarts, child.pid), logStart, ended };
}

function recordOf(spec: ChildSpec, home: string, restarts: number, pid: number | undefined): RunRecord | undefined {
  const startTicks = pid === undefined ? undefined : startTicksOf(pid);
  if (pid === undefined || startTicks === undefined) return undefined;
  const record: RunRecord = {
    name: spec.name,
    pid,
    startTicks,
    port: spec.port,
    address: spec.address,
    startedAt: new Date().toISOString(),
    restarts,
    supervisorPid: process.pid,
    stopSignal: spec.stopSignal,
    stopOrder: spec.stopOrder,
  };
  writeRunRecord(home, record);
  return record;
}
