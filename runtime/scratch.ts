import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isAlive, startTicksOf } from './process-identity';

/**
 * A folder for the temporary files of this process and of the libraries in it (Playwright's traces and downloads), under
 * the name of its process. Folders of processes of this host that are gone are removed, because a killed one removes nothing.
 */
export function createScratchFolder(home: string, hostId: string): { release(): void } {
  const root = join(home, 'tmp', hostId);
  mkdirSync(root, { recursive: true });
  for (const name of readdirSync(root)) {
    const [, pid, startTicks] = /^(\d+)-(.+)$/.exec(name) ?? [];
    const isInUse = pid !== undefined && startTicks !== undefined && isAlive({ pid: Number(pid), startTicks });
    if (!isInUse) rmSync(join(root, name), { recursive: true, force: true });
  }
  const folder = join(root, `${process.pid}-${startTicksOf(process.pid) ?? ''}`);
  mkdirSync(folder, { recursive: true });
  process.env['TMPDIR'] = folder;
  return { release: () => rmSync(folder, { recursive: true, force: true }) };
}
