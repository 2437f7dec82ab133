import type { SessionStatus } from '../../contracts/sessions/session';

/**
 * What callers changed about the session of one module. A module session is derived from the row of its workflow session;
 * only what differs from that is stored.
 */
export interface ModuleOverride {
  /** The module session was destroyed alone, while its workflow session goes on. */
  isDestroyed?: true;
  createdAt?: string;
  lastActivity?: string;
  metadata?: Record<string, unknown>;
  /** A status that was set for the module alone, with the status of the workflow session at that time. */
  status?: { own: SessionStatus; workflow: SessionStatus };
  /** The module session that the workflow session is linked to; null where it was unlinked. */
  link?: string | null;
}

/** By module id. */
export type ModuleOverrides = Readonly<Record<string, ModuleOverride>>;
