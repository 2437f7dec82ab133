import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { compiledFolder } from '../../../runtime/compiled-folder';
import { isAlive, startTicksOf } from '../../../runtime/process-identity';
import { KEEPER_DEADLINES } from '../host/deadlines';
import { readEgressFile, type EgressFile } from './egress-file';

const POLL_MS = 10;

/** The egress process of these browsers: the one that runs, or a new one in a process group of its own. */
export async function findOrStartEgress(root: string): Promise<EgressFile> {
  const running = readEgressFile(root);
  if (running !== undefined && isAlive(running)) return running;
  const script = join(compiledFolder(), 'worker', 'keeper', 'egress', 'main.js');
  const child = spawn(process.execPath, [script, root], { detached: true, stdio: 'ignore', env: environment() });
  child.unref();
  let failure: Error | undefined;
  child.once('error', (error) => (failure = error));
  const deadline = performance.now() + KEEPER_DEADLINES.egressStart;
  while (performance.now() < deadline && failure === undefined && child.exitCode === null) {
    const started = readEgressFile(root);
    if (started !== undefined && started.pid === child.pid) return started;
    await delay(POLL_MS);
  }
  throw new Error(
    `The egress process could not be started from ${script}: ${failure?.message ?? 'it did not answer'}.`,
  );
}

/** Whether this process is gone by then, or another one is named in its place. */
export async function isReplacedWithin(root: string, found: EgressFile, ms: number): Promise<boolean> {
  const deadline = performance.now() + ms;
  while (isAlive(found) && readEgressFile(root)?.port === found.port) {
    if (performance.now() > deadline) return false;
    await delay(POLL_MS);
  }
  return true;
}

export function endEgress(root: string): void {
  const running = readEgressFile(root);
  if (running !== undefined && isAlive(running)) process.kill(running.pid, 'SIGKILL');
}

/** It needs no secret of the keeper's. */
function environment(): NodeJS.ProcessEnv {
  const { PATH, NODE_COMPILE_CACHE, MALLOC_ARENA_MAX } = process.env;
  return { PATH, NODE_COMPILE_CACHE, MALLOC_ARENA_MAX };
}

export function ownIdentity(): { pid: number; startTicks: string } {
  return { pid: process.pid, startTicks: startTicksOf(process.pid) ?? '' };
}
