import type { HostHeartbeat } from '../store/browsers/leases';

/** Where a host registers, so that workers find its keeper and see when it was last alive. */
export interface HostRegistry {
  /** Writes the host's row with the database's time. Rejects while the database is away. */
  heartbeat(host: HostHeartbeat): Promise<void>;
  /** The sessions whose lease names this host. */
  leasedTo(hostId: string): Promise<Set<string>>;
}
