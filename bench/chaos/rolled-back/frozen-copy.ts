import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync, readlinkSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Harness } from '../../harness/harness';

/** The servers of the local stack whose data are put back to an earlier time. */
export const PUT_BACK_SERVERS = ['postgres', 'temporal'] as const;
export type PutBackServer = (typeof PUT_BACK_SERVERS)[number];

/** The data of a server as they were at one moment. */
export interface FrozenCopy {
  /** Kills the server and puts its data back; the supervisor starts it again. */
  putBack(): void;
}

/**
 * Copies the data of a running server. All of its processes are stopped meanwhile, so that the copy is what a loss of power
 * at that moment would have left.
 */
export function takeFrozenCopy({ home, stack }: Pick<Harness, 'home' | 'stack'>, server: PutBackServer): FrozenCopy {
  const pidOf = (): number => {
    const row = stack.processes().find(({ name, alive }) => name === server && alive);
    if (row === undefined) throw new Error(`Expected ${server} to run; it does not.`);
    return row.pid;
  };
  const parent = pidOf();
  // The database may be outside of a home that its user can't enter; it works in its data.
  const data = server === 'postgres' ? readlinkSync(`/proc/${parent}/cwd`) : join(home, 'temporal');
  const copy = `${data}.copy`;
  rmSync(copy, { recursive: true, force: true });
  // First, so that it starts no other.
  signalAll([parent], 'SIGSTOP');
  const frozen = withChildren(parent);
  signalAll(frozen, 'SIGSTOP');
  // A signal takes effect a moment later.
  while (!frozen.every(isStopped)) execFileSync('sleep', ['0.01']);
  try {
    execFileSync('cp', ['-a', data, copy]);
  } finally {
    signalAll(frozen, 'SIGCONT');
  }
  return {
    putBack() {
      const lost = `${data}.lost`;
      rmSync(lost, { recursive: true, force: true });
      const running = pidOf();
      signalAll([running], 'SIGSTOP');
      signalAll(withChildren(running).toReversed(), 'SIGKILL');
      // The supervisor waits for a moment before it starts the server again.
      renameSync(data, lost);
      renameSync(copy, data);
      rmSync(lost, { recursive: true, force: true });
    },
  };
}

function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
}

/** The process and those that it has started, by Linux's table of processes. */
function withChildren(parent: number): number[] {
  const children = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && parentOf(Number(name)) === parent);
  return [parent, ...children.map(Number)];
}

function parentOf(pid: number): number | undefined {
  const parent = statOf(pid)?.[1];
  return parent === undefined ? undefined : Number(parent);
}

/** Also one that is gone. */
function isStopped(pid: number): boolean {
  return ['T', 'Z', undefined].includes(statOf(pid)?.[0]);
}

/** The fields of a process behind its name: state, parent, … */
function statOf(pid: number): string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}
