import { log } from '@temporalio/activity';
import { BROWSER_GONE } from '../../contracts/errors/standard-error';
import { StoreRefusal } from '../../store/database/refusals';
import type { Store } from '../../store/store';
import { EngineError, STALE_LEASE } from '../failures';

/**
 * Tells in this worker's own log that it was cut off, and with what it ends: most often Temporal listens to this attempt
 * no more, so nobody else would tell. One that it still listens to was overtaken by an older one that came late, as when
 * a database that stood still commits what it was asked for long ago: the next attempt takes the browser over again.
 * Undefined when it failed for another reason.
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
      ? `The session went on without this worker (it had lease epoch ${epoch}) and needs its browser no more; nothing more is done here.`
      : `Another worker has taken the browser over (lease epoch ${row?.epoch ?? 'unknown'}, this worker had ${epoch}); nothing more is done here.`;
  log.warn(message, { sessionId });
  if (isRefused && cause.reason !== 'stale-epoch') return cause;
  if (row === null) return new EngineError('EX001', message, { type: BROWSER_GONE, cause });
  return new EngineError('EX001', message, { type: STALE_LEASE, isTemporary: true, cause });
}
