import { rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The time of the file system of this folder, in ms since 1970, which dates its files; a process's own clock may differ. 0, so
 * that nothing is old, where no file can be created.
 */
export function fileSystemTime(folder: string): number {
  const stamp = join(folder, '.time');
  try {
    writeFileSync(stamp, '');
    return statSync(stamp).mtimeMs;
  } catch {
    return 0;
  } finally {
    rmSync(stamp, { force: true });
  }
}
