import { log } from '@temporalio/activity';
import { BROWSER_GONE } from '../../contracts/errors';
import { StoreRefusal } from '../../store/refusals';
import type { Store } from '../../store/store';
import { EngineError } from '../failures';

/**
 * Tells in this worker's own log that it was cut off, and with what it ends: Temporal listens to this attempt no more, so
 * nobody else would tell. Undefined when it failed for another reason.
 */
export async function fencedOff(
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
  const message = row
    ? `Another worker has taken the browser over (lease epoch ${row.epoch}, this worker had ${epoch}); nothing more is done here.`
    : `The session went on without this worker (it had lease epoch ${epoch}) and needs its browser no more; nothing more is done here.`;
  log.warn(message, { sessionId });
  return isGone ? new EngineError('EX001', message, { type: BROWSER_GONE, cause }) : cause;
}
