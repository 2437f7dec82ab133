import type { HostHeartbeat, HeldBrowser, LeaseState } from '../../../store/browsers/leases';

/** Where a host registers, so that workers find its keeper and see when it was last alive. */
export interface HostRegistry {
  /** Writes the host's row with the database's time. Rejects while the database is away. */
  heartbeat(host: HostHeartbeat): Promise<void>;
  /** By session, what the database says of browsers that this host keeps. */
  leaseStates(hostId: string, browsers: readonly HeldBrowser[]): Promise<Map<string, LeaseState>>;
}
