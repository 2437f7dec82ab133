import { setTimeout as delay } from 'node:timers/promises';
import { isAlive, type ProcessIdentity } from '../../runtime/process-identity';

/** Resolves to true once the process is gone, to false when it still runs at the deadline. */
export async function isGoneWithin(identity: ProcessIdentity, deadlineMs: number): Promise<boolean> {
  const deadline = performance.now() + deadlineMs;
  while (isAlive(identity)) {
    if (performance.now() >= deadline) return false;
    await delay(10);
  }
  return true;
}

/** Ends a process group, whose leader must have been verified a moment ago. */
export function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It ended by itself before the signal.
  }
}
