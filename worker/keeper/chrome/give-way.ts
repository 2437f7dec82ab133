import type { ChildProcess } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';

/** As `nice` counts: a browser has a third of what a process of the engine has where both want the processor. */
const NICENESS = 5;

/**
 * Lets a browser, with all that it starts, have the processor behind the processes of the engine: where forty start at once,
 * those that lead the sessions would wait for them. Nothing changes on a host that is not full.
 */
export function giveWay({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  const lower = [
    () => setPriority(pid, NICENESS),
    // A process with a terminal session of its own is weighed with its children as one group, where Linux does that.
    () => writeFileSync(`/proc/${pid}/autogroup`, String(NICENESS)),
  ];
  for (const each of lower) {
    try {
      each();
    } catch {
      // It has ended, or the system knows nothing of the kind: it runs as every other process then.
    }
  }
}
