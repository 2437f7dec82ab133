import { existsSync, readdirSync } from 'node:fs';
import { isAlive } from '../../../runtime/process-identity';
import { listBrowserRecords } from '../../../worker/keeper/chrome/browser-record';
import { processesOf } from '../../harness/home-processes';
import type { Harness } from '../../harness/harness';
import type { WatchedSession } from '../load/session-load';
import { retryUntil } from '../retry-until';
import { browsersFolder } from '../faults/targets';

/** The reaper runs every few seconds, for sessions that ended ten seconds ago. */
const REAPED_WITHIN_MS = 40_000;

/** Waits for the reaper, then lists leases and Chromes of sessions that have ended. */
export async function findLeftovers(harness: Harness, sessions: readonly WatchedSession[]): Promise<string[]> {
  const find = async (): Promise<string[]> => {
    const leases = await Promise.all(sessions.map(({ sessionId }) => harness.store.leases.get(sessionId)));
    const browsers = listBrowserRecords(browsersFolder(harness.home)).filter(
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

/**
 * Lists what remains after the stop: browser folders, and processes whose command line or environment names the home.
 */
export function findRemains(home: string): string[] {
  const folder = browsersFolder(home);
  const folders = existsSync(folder) ? readdirSync(folder, { withFileTypes: true }) : [];
  return [
    ...folders.filter((entry) => entry.isDirectory()).map(({ name }) => `the browser folder ${name}`),
    ...processesOf(home).map(({ command }) => `a process: ${command.slice(0, 120)}`),
  ];
}
