import { statSync } from 'node:fs';
import { join } from 'node:path';
import { pingTemporal } from '../../../client/connection/connect-temporal';
import { listBrowserRecords } from '../../../keeper/chrome/browser-record';
import { parseJson, readyFilePath, type ProcessRow } from '../../../local/supervisor/run-files';
import { isAlive } from '../../../runtime/process-identity';
import type { Harness } from '../../harness';
import { TARGETS, type TargetKind } from '../options';

/** A process that may be killed. */
export interface KillTarget {
  target: TargetKind;
  name: string;
  pid: number;
  /** Of a Chrome: whose it is. */
  sessionId?: string;
}

/** The supervisor takes a child that dies sooner after it was ready for a sick one, and waits before the next start. */
const SETTLE_MS = 3300;
/** Servers tell of no moment at which they were ready. */
const START_OF_A_SERVER_MS = 2000;

/** Every process of this target that has worked for a while; of Chromes, those that a session has now. */
export function findTargets(stage: Harness, target: TargetKind): KillTarget[] {
  const pattern = TARGETS[target];
  if (pattern === undefined) return chromesOf(stage.home).map((chrome) => ({ target, name: 'a Chrome', ...chrome }));
  return stage.stack
    .processes()
    .filter((row) => row.alive && pattern.test(row.name) && hasSettled(stage.home, row))
    .map(({ name, pid }) => ({ target, name, pid }));
}

function hasSettled(home: string, row: ProcessRow): boolean {
  if (isServer(row.name)) return Date.now() - Date.parse(row.startedAt) > START_OF_A_SERVER_MS + SETTLE_MS;
  if (!isReady(home, row)) return false;
  const file = statSync(readyFilePath(home, row.name), { throwIfNoEntry: false });
  return file !== undefined && Date.now() - file.mtimeMs > SETTLE_MS;
}

function chromesOf(home: string): { pid: number; sessionId: string }[] {
  return listBrowserRecords(browsersFolder(home)).flatMap(({ marker }) =>
    marker?.sessionId !== undefined && isAlive(marker) ? [{ pid: marker.pid, sessionId: marker.sessionId }] : [],
  );
}

/** The folder of the keeper's Chromes and profiles, on the one host of a local stack. */
export function browsersFolder(home: string): string {
  return join(home, 'browsers', 'local');
}

/** Whether the child of this name is there again, as another process than the killed one, and ready. */
export async function isBack(
  { stack, home, store, temporal }: Harness,
  name: string,
  killed: number,
): Promise<boolean> {
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
