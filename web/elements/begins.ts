import { isOpen, type SessionStatus } from '../../contracts/sessions/session';

/** The time that a session waits for before it begins; undefined once it has begun. */
export function beginsAt(status: `${SessionStatus}`, notBefore: string | undefined): string | undefined {
  const isWaiting = notBefore !== undefined && isOpen(status as SessionStatus) && Date.parse(notBefore) > Date.now();
  return isWaiting ? notBefore : undefined;
}
