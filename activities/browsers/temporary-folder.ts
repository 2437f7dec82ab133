import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const REMOVE_AGAIN_AFTER_MS = [0, 100, 2000];

export async function makeTemporaryFolder(prefix: string): Promise<string> {
  return await mkdtemp(join(tmpdir(), prefix));
}

/**
 * Removes a folder that Playwright may still be writing to: it writes traces from a queue of its own, and what stands
 * in the queue when a connection ends makes the folder anew.
 */
export async function removeForGood(folder: string): Promise<void> {
  for (const pauseMs of REMOVE_AGAIN_AFTER_MS) {
    await delay(pauseMs, undefined, { ref: false });
    // What stays all the same goes with the worker's whole folder.
    await rm(folder, { recursive: true, force: true, maxRetries: 2 }).catch(() => {});
  }
}
