import { isAlive, type ProcessIdentity } from '../../../runtime/process-identity';
import { waitUntil } from '../../../runtime/wait-until';
import { killGroup, signalIfThere } from '../../../runtime/process-group';

export type StopSignal = 'SIGTERM' | 'SIGINT';
/** Ends a process at once; PostgreSQL takes SIGQUIT as its immediate shutdown, without a last write. */
export type EndSignal = 'SIGKILL' | 'SIGQUIT';

/**
 * PostgreSQL gets more time for SIGINT: it writes everything first and, when killed meanwhile, leaves its
 * postmaster.pid.
 */
const GRACE_MS = { SIGTERM: 5000, SIGINT: 20_000, SIGKILL: 5000, SIGQUIT: 5000 } as const;

/**
 * Signals the process, and kills it with its group when it has not ended in time. Never signals a process that reuses
 * the pid.
 */
export async function endProcess(
  identity: ProcessIdentity,
  signal: StopSignal | EndSignal,
  graceMs: number = GRACE_MS[signal],
): Promise<void> {
  if (!isAlive(identity)) return;
  signalIfThere(identity.pid, signal);
  const hasEnded = await waitUntil(() => !isAlive(identity), graceMs);
  if (hasEnded) return;
  if (!killGroup(identity.pid)) signalIfThere(identity.pid, 'SIGKILL');
  await waitUntil(() => !isAlive(identity), graceMs);
}
