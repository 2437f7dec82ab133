import type { HostHeartbeat } from '../store/browsers/leases';

/** Where a host makes itself known, so that workers find its keeper and see how long ago it was last alive. */
export interface HostRegistry {
  /** Writes the host's row with the database's own time. Rejects while the database is away; the keeper beats again. */
  heartbeat(host: HostHeartbeat): Promise<void>;
  /** The sessions whose lease names this host. */
  leasedTo(hostId: string): Promise<Set<string>>;
}
