import type { Store } from '../../store/store';
import { ClientError } from '../port/port';

/** Open sessions for each browser of capacity: one runs, the others wait or are paused. */
const SESSIONS_PER_BROWSER = 20;
const MIN_OPEN_SESSIONS = 100;
/** Long enough that a host that is being restarted still counts. */
const HOST_SEEN_WITHIN_MS = 600_000;

/** Returns how many sessions may be open (running, waiting or paused) before a start is refused. */
export async function maxOpenSessions(
  { hosts }: Pick<Store, 'hosts'>,
  configured: number | undefined,
): Promise<number> {
  if (configured !== undefined) return configured;
  const { capacity } = await hosts.total(HOST_SEEN_WITHIN_MS);
  return Math.max(MIN_OPEN_SESSIONS, SESSIONS_PER_BROWSER * capacity);
}

export function tooManySessions(limit: number): ClientError {
  return new ClientError(
    'too-many',
    'SP004',
    `${limit} sessions are open, which is the limit; nothing was started. Try again when one has ended, or raise SUREFOOT_MAX_SESSIONS.`,
  );
}
