import { existsSync, readdirSync } from 'node:fs';
import { isAlive } from '../../../runtime/process-identity';
import { listBrowserRecords } from '../../../keeper/chrome/browser-record';
import { processesOf } from '../../home-processes';
import type { Harness } from '../../harness';
import type { WatchedSession } from '../load/session-load';
import { retryUntil } from '../retry-until';
import { browsersFolder } from '../faults/targets';

/** The reaper looks every few seconds, at sessions that ended ten seconds ago. */
const REAPED_WITHIN_MS = 40_000;

/** Leases and Chromes of sessions that have all ended; waits for the reaper first. */
export async function findLeftovers(stage: Harness, played: readonly WatchedSession[]): Promise<string[]> {
  const find = async (): Promise<string[]> => {
    const leases = await Promise.all(played.map(({ sessionId }) => stage.store.leases.get(sessionId)));
    const browsers = listBrowserRecords(browsersFolder(stage.home)).filter(
      ({ marker }) => marker?.sessionId !== undefined,
    );
    return [
      ...leases.flatMap((lease) => (lease === null ? [] : [`a lease of ${lease.sessionId}`])),
      ...browsers.map(({ marker }) =>
        isAlive(marker!) ? `a Chrome of ${marker!.sessionId}` : `the profile of ${marker!.sessionId}`,
      ),
    ];
  };
  const isClean = async (): Promise<true | undefined> => ((await find()).length === 0 ? true : undefined);
  await retryUntil('nothing is left', REAPED_WITHIN_MS, isClean).catch(() => {});
  return await find();
}

/** After the stop: browser folders, and processes that name the home in their command line or environment. */
export function findRemains(home: string): string[] {
  const folder = browsersFolder(home);
  const folders = existsSync(folder) ? readdirSync(folder, { withFileTypes: true }) : [];
  return [
    ...folders.filter((entry) => entry.isDirectory()).map(({ name }) => `the browser folder ${name}`),
    ...processesOf(home).map(({ command }) => `a process: ${command.slice(0, 120)}`),
  ];
}
