import { readdirSync, readFileSync } from 'node:fs';
import { eventually } from './eventually';

/**
 * Stops a process with SIGSTOP, and resolves once all of its threads stand still: one that waits for a read can take in
 * what is sent in the millisecond before.
 */
export async function freeze(pid: number): Promise<void> {
  process.kill(pid, 'SIGSTOP');
  if (process.platform !== 'linux') return;
  await eventually(`process ${pid} stands still`, () => threadStates(pid).every((state) => state === 'T'));
}

function threadStates(pid: number): string[] {
  return readdirSync(`/proc/${pid}/task`).flatMap((thread) => {
    try {
      const stat = readFileSync(`/proc/${pid}/task/${thread}/stat`, 'utf8');
      return stat.slice(stat.lastIndexOf(')') + 2)[0]!;
    } catch {
      // It ended while the others were asked.
      return [];
    }
  });
}
