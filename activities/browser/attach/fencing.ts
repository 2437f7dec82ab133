import { log } from '@temporalio/activity';
import { BROWSER_GONE } from '../../../contracts/errors/standard-error';
import { StoreRefusal } from '../../../store/database/refusals';
import type { Store } from '../../../store/store';
import { EngineError, STALE_LEASE } from '../../activity/failures';

/**
 * Logs that this worker was cut off, and returns the error that its attempt ends with; undefined when it failed for
 * another reason. Temporal usually no longer listens to such an attempt, so only this worker's log shows it. If
 * Temporal does listen, an older attempt was late, as when a stalled database commits an old statement: the next
 * attempt takes the browser over again.
 */
export async function toFencingError(
  store: Store,
  sessionId: string,
  epoch: number,
  cause: unknown,
): Promise<Error | undefined> {
  const isGone = cause instanceof EngineError && cause.more.type === BROWSER_GONE;
  const isRefused = cause instanceof StoreRefusal && ['stale-epoch', 'closed', 'superseded'].includes(cause.reason);
  if (!isGone && !isRefused) return undefined;
  const row = await store.leases.get(sessionId).catch(() => undefined);
  const isHolder = row !== null && (row === undefined || row.epoch <= epoch);
  if (isGone && isHolder) return undefined;
  const message =
    row === null
      ? `The session continued without this worker (lease epoch ${epoch}) and no longer needs its browser; this worker stops.`
      : `Another worker has taken the browser over (lease epoch ${row?.epoch ?? 'unknown'}, this worker had ${epoch}); this worker stops.`;
  log.warn(message, { sessionId });
  if (isRefused && cause.reason !== 'stale-epoch') return cause;
  if (row === null) return new EngineError('EX001', message, { type: BROWSER_GONE, cause });
  return new EngineError('EX001', message, { type: STALE_LEASE, isTemporary: true, cause });
}
