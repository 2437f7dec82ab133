import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const REMOVE_AGAIN_AFTER_MS = [0, 100, 2000];

export async function makeTemporaryFolder(prefix: string): Promise<string> {
  return await mkdtemp(join(tmpdir(), prefix));
}

/**
 * Removes a folder that Playwright may still write to: traces are written from a queue, which recreates the folder
 * even after the connection has ended.
 */
export async function removeForGood(folder: string): Promise<void> {
  for (const pauseMs of REMOVE_AGAIN_AFTER_MS) {
    await delay(pauseMs, undefined, { ref: false });
    // What remains is removed with the worker's whole temporary folder.
    await rm(folder, { recursive: true, force: true, maxRetries: 2 }).catch(() => {});
  }
}
