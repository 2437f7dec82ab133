import { rowRequest } from '../../../contracts/batches/row-request';
import { issuesText } from '../../../contracts/errors/issues';
import { toCarriedStart } from '../../../contracts/sessions/carried-steps';
import { planRequest, type PlannedStart, type StartRequest } from '../../../contracts/sessions/start-request';
import type { TakenRow } from '../../../store/batches/rows-to-start';
import type { Store } from '../../../store/store';
import { createActivities } from '../../activity/define-activities';
import type { BatchActivities, TakenPage, TakeRowsInput } from '../../signatures/batch-activities';

/** A start has at most 64 KB (INLINE_BYTES), and Temporal takes 2 MB in one result. */
const ROWS_AT_ONCE = 20;

export interface BatchDeps {
  store: Pick<Store, 'batches' | 'sessions'>;
}

export function createBatchActivities(deps: BatchDeps): BatchActivities {
  return createActivities<BatchDeps, BatchActivities>(deps, { takeRows: ['SP002', 'step-processor', takeRows] });
}

/** Takes the next rows and plans each; one that can't be planned is refused, with the reason. */
async function takeRows({ store }: BatchDeps, input: TakeRowsInput): Promise<TakenPage | null> {
  const { batchId } = input;
  const page = await store.batches.pages.take({ ...input, limit: ROWS_AT_ONCE });
  if (page === null) return null;
  const { state, toCancel } = page;
  const rows: TakenPage['rows'] = [];
  for (const taken of page.rows) {
    const start = await planRow(store, page.request, taken);
    if (typeof start === 'string') await store.batches.pages.refuse(batchId, taken.row, start);
    else rows.push({ workflowId: taken.workflowId, start });
  }
  const hasMore = page.rows.length === ROWS_AT_ONCE || rows.length < page.rows.length;
  return { state, rows, hasMore, toCancel };
}

/** What the session of a row is started with, or why it can't be. A large one is in its row alone. */
async function planRow(
  store: BatchDeps['store'],
  request: StartRequest,
  { variables, workflowId, sessionId }: TakenRow,
): Promise<PlannedStart | string> {
  const planned = planRequest(rowRequest(request, variables));
  if (planned.kind === 'invalid') return issuesText(planned.issues);
  const carried = toCarriedStart(planned);
  if ('problem' in carried) return carried.problem;
  if (carried.start.isStored === true) await store.sessions.create({ sessionId, workflowId, plan: planned.plan });
  return carried.start;
}
