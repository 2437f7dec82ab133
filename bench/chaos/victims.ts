import { join } from 'node:path';
import { pingTemporal } from '../../client/connect-temporal';
import { listMarkers } from '../../keeper/marker';
import { parseJson, readyFilePath } from '../../local/run-files';
import { isAlive } from '../../runtime/process-identity';
import type { Stage } from '../stage';
import { TARGETS, type Target } from './options';

/** A process that may be killed. */
export interface Victim {
  target: Target;
  name: string;
  pid: number;
  /** Of a Chrome: whose it is. */
  sessionId?: string;
}

/** Every living process of this target; of Chromes, those that a session has now. */
export function victimsOf(stage: Stage, target: Target): Victim[] {
  const pattern = TARGETS[target];
  if (pattern === undefined) return chromesOf(stage.home).map((chrome) => ({ target, name: 'a Chrome', ...chrome }));
  return stage.stack
    .processes()
    .filter(({ name, alive }) => alive && pattern.test(name))
    .map(({ name, pid }) => ({ target, name, pid }));
}

function chromesOf(home: string): { pid: number; sessionId: string }[] {
  return listMarkers(browsersFolder(home)).flatMap(({ marker }) =>
    marker?.sessionId !== undefined && isAlive(marker) ? [{ pid: marker.pid, sessionId: marker.sessionId }] : [],
  );
}

/** The folder of the keeper's Chromes and profiles, on the one host of a local stack. */
export function browsersFolder(home: string): string {
  return join(home, 'browsers', 'local');
}

/** Whether every process of the stack is there and ready, and nobody still holds the pid of a killed one. */
export async function isWholeAgain(stage: Stage, killed: readonly number[]): Promise<boolean> {
  const rows = stage.stack.processes();
  const isReady = ({ name, pid }: { name: string; pid: number }): boolean =>
    TARGETS.temporal.test(name) || TARGETS.postgres.test(name) || readyPid(stage.home, name) === pid;
  if (!rows.every((row) => row.alive && !killed.includes(row.pid) && isReady(row))) return false;
  await Promise.all([stage.store.ping(), pingTemporal(stage.temporal, 2000)]);
  return true;
}

function readyPid(home: string, name: string): number | undefined {
  return (parseJson(readyFilePath(home, name)) as { pid: number } | undefined)?.pid;
}
