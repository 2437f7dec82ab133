import type { OutboxBatch } from '../../contracts/events/outbox';
import { faultPoint } from '../../runtime/fault-point';
import { nameTheLoss } from '../../store/endings/name-the-loss';
import type { Store } from '../../store/store';

/**
 * Writes it. Step results go first, so that a reader of STEP_COMPLETED finds them. Throws StoreRefusal (`behind`) when the
 * database lacks what the workflow knows it to have, also where there is nothing to write.
 */
export async function writeOutbox(store: Store, sessionId: string, runId: string, batch: OutboxBatch): Promise<void> {
  const { records, patch, ...rest } = await nameTheLoss(store, sessionId, batch);
  const { stepResults, resolutions = [], approvals = [], revocations = [], messages = [], known = {} } = rest;
  const guard = { runId, ...known };
  for (const result of stepResults) await store.memory.saveStepResult(sessionId, result);
  const more = { resolutions, approvals, revocations, messages };
  const pending = [records, Object.keys(patch), ...Object.values(more)];
  if (pending.some(({ length }) => length > 0)) {
    faultPoint('before-append', sessionId);
    await store.log.append(sessionId, records, { guard, patch, ...more });
    faultPoint('after-append', sessionId);
  } else if (Object.keys(known).length > 0) await store.log.assertKnown(sessionId, guard);
}
