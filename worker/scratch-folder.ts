import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { startTicksOf } from '../runtime/process-identity';

/**
 * A folder of this process's own for what Playwright writes on the side (traces, artifacts). Whoever is killed leaves it
 * behind, so the next worker of the host that starts clears it: the name tells whose it was.
 */
export function openScratchFolder(home: string, hostId: string): { close(): void } {
  const root = join(home, 'scratch', hostId);
  const own = `${process.pid}-${startTicksOf(process.pid) ?? ''}`;
  mkdirSync(join(root, own), { recursive: true });
  for (const name of readdirSync(root))
    if (!isOfTheLiving(name)) rmSync(join(root, name), { recursive: true, force: true });
  process.env['TMPDIR'] = join(root, own);
  return { close: () => rmSync(join(root, own), { recursive: true, force: true, maxRetries: 2 }) };
}

function isOfTheLiving(name: string): boolean {
  const [pid = '', ...ticks] = name.split('-');
  return startTicksOf(Number(pid)) === ticks.join('-');
}
