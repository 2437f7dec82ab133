import type { ResultSummary, SessionResult } from '../../contracts/results/result';
import type { Store } from '../../store/store';
import { buildResult, describeMissing } from './build-result';
import { wantedResult } from './wanted-result';

/** A result that is larger is not carried in Temporal's history: the store alone has its value. */
const INLINE_BYTES = 16 * 1024;
const MOST_BYTES = 16 * 1024 * 1024;

/** What became of the result of a step: complete, or what is missing. Nothing where the step is to return none. */
export interface SettledResult {
  result?: ResultSummary;
  incomplete?: string;
}

/** Puts the result of a step together from what was read, and stores it with what is missing. Repeated, it does the same. */
export async function settleResult(
  store: Pick<Store, 'sessions' | 'results'>,
  sessionId: string,
  stepIndex: number,
): Promise<SettledResult> {
  const wanted = await wantedResult(store, sessionId, stepIndex);
  if (wanted === undefined) return {};
  const built = await buildResult(wanted, await store.results.parts(sessionId, stepIndex), stepIndex);
  const bytes = Buffer.byteLength(JSON.stringify(built));
  if (bytes > MOST_BYTES) {
    const message = `The result has ${bytes} bytes, and ${MOST_BYTES} are the most: ask for fewer rows (maxItems) or pages.`;
    return { incomplete: message };
  }
  await store.results.save(sessionId, built);
  if (!built.isComplete) return { incomplete: describeMissing(built) };
  return { result: resultSummary(built) };
}

/** Of a complete result. */
export function resultSummary({ stepIndex, value, rows }: SessionResult): ResultSummary {
  const bytes = Buffer.byteLength(JSON.stringify(value));
  return { stepIndex, rows: rows.returned, bytes, ...(bytes <= INLINE_BYTES ? { value } : {}) };
}
