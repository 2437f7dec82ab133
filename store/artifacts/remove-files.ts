import { rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Removes files of artifacts, and the folders of sessions that are empty then. */
export async function removeFiles(folder: string, paths: readonly string[]): Promise<void> {
  for (const path of paths) await rm(join(folder, path), { force: true });
  for (const own of new Set(paths.map((path) => dirname(join(folder, path))))) await rmdir(own).catch(() => {});
}
