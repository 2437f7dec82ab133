import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { listBrowserRecords } from '../../worker/keeper/chrome/browser-record';
import { eventually } from './eventually';
import type { WholeStack } from './whole-stack';

/** Kills these processes of a stack at once, and waits until the supervisor has started each of them again. */
export async function killAndAwait(stack: WholeStack, names: readonly string[]): Promise<void> {
  const killed = names.map((name) => ({ name, pid: stack.pidOf(name) }));
  for (const { pid } of killed) process.kill(pid, 'SIGKILL');
  await eventually(`${names.join()} run again`, () => {
    const rows = stack.stack.processes();
    return killed.every(({ name, pid }) => rows.some((row) => row.name === name && row.alive && row.pid !== pid));
  });
}

/** Every process of the product, its servers with them. */
export function everything(stack: WholeStack): string[] {
  return stack.stack
    .processes()
    .map(({ name }) => name)
    .filter((name) => name !== 'shop');
}

/** Process ids of the Chromes that run for a session, or for any. */
export function chromesOf(stack: WholeStack, sessionId?: string): number[] {
  return listBrowserRecords(join(stack.home, 'browsers', 'local')).flatMap(({ marker }) =>
    marker === undefined || (sessionId !== undefined && marker.sessionId !== sessionId) ? [] : [marker.pid],
  );
}

/** Kills the processes that render the pages of a Chrome, as the kernel does when memory runs out. */
export function killRenderers(chromePid: number): void {
  const renderers = readdirSync('/proc').filter((name) => {
    try {
      const [, , group] = readFileSync(`/proc/${name}/stat`, 'utf8').split(') ')[1]!.split(' ');
      return Number(group) === chromePid && readFileSync(`/proc/${name}/cmdline`, 'utf8').includes('--type=renderer');
    } catch {
      // No process, or one that has just ended.
      return false;
    }
  });
  if (renderers.length === 0) throw new Error(`Expected renderers of the Chrome with pid ${chromePid}, found none.`);
  for (const pid of renderers) process.kill(Number(pid), 'SIGKILL');
}
