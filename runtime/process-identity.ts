import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { z } from 'zod';

/**
 * A process, distinguished by its start time from a later one with the same pid: on Linux field 22 of
 * /proc/<pid>/stat, elsewhere what `ps -o lstart=` says. Nothing is ever signalled by its pid alone.
 */
export const ProcessIdentitySchema = z.object({
  pid: z.int().positive(),
  startTicks: z.coerce.string(),
});
export type ProcessIdentity = z.infer<typeof ProcessIdentitySchema>;

/** When the process started, or undefined when there is none; one that is dead but not yet reaped is none. */
export function startTicksOf(pid: number): string | undefined {
  return process.platform === 'linux' ? fromProc(pid) : fromPs(pid);
}

export function isAlive(identity: ProcessIdentity): boolean {
  const startTicks = startTicksOf(identity.pid);
  return startTicks !== undefined && startTicks === identity.startTicks;
}

function fromProc(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is the program's name in brackets, which may hold spaces and brackets itself.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [state] = fields;
    return state === 'Z' || state === 'X' ? undefined : fields[19];
  } catch {
    return undefined;
  }
}

function fromPs(pid: number): string | undefined {
  // In one language and time zone, because the answer is compared with that of another day.
  const env = { ...process.env, LC_ALL: 'C', TZ: 'UTC' };
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8', env });
  const [state, ...started] = (stdout ?? '').trim().split(/\s+/);
  return state === undefined || state === '' || state.startsWith('Z') ? undefined : started.join(' ');
}
