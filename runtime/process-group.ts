/** Kills the process group that this pid leads or led; returns false when there is no such group. */
export function killGroup(pid: number): boolean {
  return signalIfThere(-pid, 'SIGKILL');
}

/** Sends a signal to a process, or to a group by its negative number; returns false when it has ended. */
export function signalIfThere(target: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(target, signal);
  } catch {
    return false;
  }
}
