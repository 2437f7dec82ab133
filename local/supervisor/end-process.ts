import { isAlive, type ProcessIdentity } from '../../runtime/process-identity';
import { waitUntil } from './wait-until';

export type StopSignal = 'SIGTERM' | 'SIGINT';
/** Leaves no time to finish anything; of SIGQUIT a database server makes an end without a last write. */
export type EndSignal = 'SIGKILL' | 'SIGQUIT';

/** SIGINT is PostgreSQL's: it writes everything first, and killed in the middle of that it leaves its postmaster.pid. */
const GRACE_MS = { SIGTERM: 5000, SIGINT: 20_000, SIGKILL: 5000, SIGQUIT: 5000 } as const;

/** Asks the process to end, and kills it with its group when it has not done so in time. Never touches another one. */
export async function endProcess(
  identity: ProcessIdentity,
  signal: StopSignal | EndSignal,
  graceMs: number = GRACE_MS[signal],
): Promise<void> {
  if (!isAlive(identity)) return;
  send(identity.pid, signal);
  const hasEnded = await waitUntil(() => !isAlive(identity), graceMs);
  if (hasEnded) return;
  if (!killGroup(identity.pid)) send(identity.pid, 'SIGKILL');
  await waitUntil(() => !isAlive(identity), graceMs);
}

/** Kills all that is left of the group that this process of ours leads or led; false when there is no such group. */
export function killGroup(pid: number): boolean {
  return send(-pid, 'SIGKILL');
}

function send(target: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(target, signal);
  } catch {
    return false;
  }
}
