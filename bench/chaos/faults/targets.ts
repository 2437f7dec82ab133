import { statSync } from 'node:fs';
import { join } from 'node:path';
import { pingTemporal } from '../../../service/connection/connect-temporal';
import { listBrowserRecords } from '../../../worker/keeper/chrome/browser-record';
import { readEgressFile } from '../../../worker/keeper/egress/egress-file';
import { parseJson, readyFilePath, type ProcessRow } from '../../../cli/stack/supervisor/run-files';
import { isAlive } from '../../../runtime/process-identity';
import type { Harness } from '../../harness/harness';
import { TARGETS, type TargetKind } from './target-kinds';

const EGRESS = 'the egress process';

/** A process that may be killed. */
export interface KillTarget {
  target: TargetKind;
  name: string;
  pid: number;
  /** The session of a Chrome. */
  sessionId?: string;
}

/** The supervisor delays the restart of a child that dies sooner than this after it was ready. */
const SETTLE_MS = 3300;
/** Servers write no ready file. */
const START_OF_A_SERVER_MS = 2000;

/** Lists the processes of this kind that have run for a while; of Chromes, those with a session. */
export function findTargets(harness: Harness, target: TargetKind): KillTarget[] {
  if (target === 'egress') return egressOf(harness.home);
  const pattern = TARGETS[target];
  if (pattern === undefined) return chromesOf(harness.home).map((chrome) => ({ target, name: 'a Chrome', ...chrome }));
  return harness.stack
    .processes()
    .filter((row) => row.alive && pattern.test(row.name) && hasSettled(harness.home, row))
    .map(({ name, pid }) => ({ target, name, pid }));
}

function hasSettled(home: string, row: ProcessRow): boolean {
  if (isServer(row.name)) return Date.now() - Date.parse(row.startedAt) > START_OF_A_SERVER_MS + SETTLE_MS;
  if (!isReady(home, row)) return false;
  const file = statSync(readyFilePath(home, row.name), { throwIfNoEntry: false });
  return file !== undefined && Date.now() - file.mtimeMs > SETTLE_MS;
}

function egressOf(home: string): KillTarget[] {
  const running = readEgressFile(browsersFolder(home));
  return running !== undefined && isAlive(running) ? [{ target: 'egress', name: EGRESS, pid: running.pid }] : [];
}

function chromesOf(home: string): { pid: number; sessionId: string }[] {
  return listBrowserRecords(browsersFolder(home)).flatMap(({ marker }) =>
    marker?.sessionId !== undefined && isAlive(marker) ? [{ pid: marker.pid, sessionId: marker.sessionId }] : [],
  );
}

/** Returns the folder of Chromes and profiles of the one host of a local stack. */
export function browsersFolder(home: string): string {
  return join(home, 'browsers', 'local');
}

/** Resolves to whether another process than the killed one runs under this name and is ready. */
export async function isBack(
  { stack, home, store, temporal }: Harness,
  name: string,
  killed: number,
): Promise<boolean> {
  if (name === EGRESS) return egressOf(home).some(({ pid }) => pid !== killed);
  const row = stack.processes().find((each) => each.name === name);
  if (row === undefined || !row.alive || row.pid === killed) return false;
  if (!isServer(name)) return isReady(home, row);
  await (TARGETS.postgres.test(name) ? store.ping() : pingTemporal(temporal, 2000));
  return true;
}

function isServer(name: string): boolean {
  return TARGETS.temporal.test(name) || TARGETS.postgres.test(name);
}

function isReady(home: string, { name, pid }: ProcessRow): boolean {
  return (parseJson(readyFilePath(home, name)) as { pid: number } | undefined)?.pid === pid;
}
