import type { Bookkeeping } from '../../contracts/bookkeeping';
import { faultPoint } from '../../runtime/fault-point';
import type { Store } from '../../store/store';

/** Writes it. Step results go first, so that a reader of STEP_COMPLETED finds them. */
export async function write(
  store: Store,
  sessionId: string,
  runId: string,
  { records, patch, stepResults, resolutions = [] }: Bookkeeping,
): Promise<void> {
  for (const result of stepResults) await store.memory.saveStepResult(sessionId, result);
  if (records.length > 0 || Object.keys(patch).length > 0 || resolutions.length > 0) {
    faultPoint('before-append', sessionId);
    await store.log.append(sessionId, records, { guard: { runId }, patch, resolutions });
    faultPoint('after-append', sessionId);
  }
}
