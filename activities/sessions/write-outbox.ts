import type { OutboxBatch } from '../../contracts/sessions/outbox';
import { faultPoint } from '../../runtime/fault-point';
import type { Store } from '../../store/store';

/** Writes it. Step results go first, so that a reader of STEP_COMPLETED finds them. */
export async function writeOutbox(
  store: Store,
  sessionId: string,
  runId: string,
  { records, patch, stepResults, resolutions = [], approvals = [], revocations = [], orders = [] }: OutboxBatch,
): Promise<void> {
  for (const result of stepResults) await store.memory.saveStepResult(sessionId, result);
  const more = { resolutions, approvals, revocations, orders };
  const pending = [records, Object.keys(patch), ...Object.values(more)];
  if (pending.some(({ length }) => length > 0)) {
    faultPoint('before-append', sessionId);
    await store.log.append(sessionId, records, { guard: { runId }, patch, ...more });
    faultPoint('after-append', sessionId);
  }
}
