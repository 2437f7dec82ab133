import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/** A process id comes back for another program in time; together with its start time it names one process for good. */
export interface ProcessIdentity {
  pid: number;
  /** Opaque text: on Linux clock ticks since boot, elsewhere what `ps` says. */
  startTicks: string;
}

/** When the process started; undefined when there is none or only its zombie is left. */
export function startTicksOf(pid: number): string | undefined {
  return process.platform === 'linux' ? fromProc(pid) : fromPs(pid);
}

function fromProc(pid: number): string | undefined {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return undefined;
  }
  // The command name in parentheses may hold spaces and parentheses itself: count fields after the last one.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state] = fields;
  return state === 'Z' || state === 'X' ? undefined : fields[19];
}

function fromPs(pid: number): string | undefined {
  try {
    const line = execFileSync('ps', ['-o', 'state=,lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim();
    return line === '' || line.startsWith('Z') ? undefined : line.slice(line.indexOf(' ')).trim();
  } catch {
    return undefined;
  }
}

export function isRunning({ pid, startTicks }: ProcessIdentity): boolean {
  return startTicksOf(pid) === startTicks;
}

/** True once the process is gone, false when it still runs at the deadline. */
export async function isGoneWithin(identity: ProcessIdentity, deadlineMs: number): Promise<boolean> {
  const deadline = Date.now() + deadlineMs;
  while (isRunning(identity)) {
    if (Date.now() >= deadline) return false;
    await delay(10);
  }
  return true;
}

/** Ends a process group. Only for a group whose leader was known to be ours a moment ago. */
export function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It ended by itself before the signal.
  }
}
