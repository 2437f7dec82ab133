import type { BatchState } from '../../contracts/batches/batch';
import { rowWorkflowId } from '../../contracts/batches/batch';
import type { StartRequest } from '../../contracts/sessions/start-request';
import type { Sql, Transaction } from '../database/connect';
import { sessionIdOf } from '../sessions/session-id';
import { chooseRows, type TakingBatch } from './choose-rows';

/** What the workflow of a batch asks for. */
export interface PageRequest {
  batchId: string;
  /** The run of the workflow, and which of its pages it is: a repeated request gets the same rows. */
  runId: string;
  page: number;
  /** At most so many rows. */
  limit: number;
  /** Workflows of rows that have ended in Temporal. */
  ended: readonly string[];
  /** The workflow was cancelled in Temporal, and the batch is cancelled with it. */
  isCancelled: boolean;
}

export interface TakenRow {
  row: number;
  variables: Record<string, string>;
  workflowId: string;
  sessionId: string;
}

export interface BatchPage {
  request: StartRequest;
  state: BatchState;
  rows: TakenRow[];
  /** Workflows of the rows that are to be cancelled. */
  toCancel: string[];
}

/** Rows for the workflow of a batch, and what it has to know of them. */
export interface BatchPages {
  /**
   * Takes rows to start, as far as the concurrency allows, and ends the batch where nothing is left. Rows that another run took
   * come again where they have no session: it may have ended before it started them. Null where there is no such batch.
   */
  take(request: PageRequest): Promise<BatchPage | null>;
  /** A row that was taken and can't be started. */
  refuse(batchId: string, row: number, reason: string): Promise<void>;
}

const LOST = 'Its workflow ended before the session was begun.';

export function createBatchPages(sql: Sql): BatchPages {
  return {
    take: (asked) =>
      sql.begin(async (tx) => {
        const { batchId, ended, isCancelled } = asked;
        // One run of its workflow at a time: an older one may still be at it.
        const [batch] = await tx<(TakingBatch & { request: StartRequest })[]>`
          update batches set noticed = revision, signalled_at = null,
            state = case when ${isCancelled} and state in ('running', 'paused') then 'cancelling' else state end
          where batch_id = ${batchId} and expired_at is null
          returning batch_id, tenant, request, state, concurrency, origin_concurrency`;
        if (batch === undefined) return null;
        await tx`update batch_rows set is_news = false where batch_id = ${batchId} and is_news`;
        await tx`
          update batch_rows r set state = ${batch.state === 'cancelling' ? 'cancelled' : 'failed'}, reason = ${LOST},
            ended_at = clock_timestamp()
          where batch_id = ${batchId} and state = 'running' and workflow_id = any(${ended as string[]})
            and not exists (select from sessions s where s.session_id = r.session_id)`;
        if (batch.state === 'cancelling')
          await tx`
            update batch_rows set state = 'cancelled', reason = 'The batch was cancelled before it was begun.',
              ended_at = clock_timestamp()
            where batch_id = ${batchId} and state = 'waiting'`;
        const mayStart = batch.state === 'running' || batch.state === 'paused';
        const rows = mayStart ? await takeRows(tx, batch, asked) : [];
        return { request: batch.request, rows, ...(await endOrCancel(tx, batchId, batch.state)) };
      }),
    async refuse(batchId, row, reason) {
      await sql.begin(async (tx) => {
        await tx`select from batches where batch_id = ${batchId} for no key update`;
        await tx`
          update batch_rows set state = 'invalid', reason = ${reason}, workflow_id = null, session_id = null,
            ended_at = clock_timestamp()
          where batch_id = ${batchId} and row = ${row} and state = 'running'`;
      });
    },
  };
}

async function takeRows(tx: Transaction, batch: TakingBatch, request: PageRequest): Promise<TakenRow[]> {
  const { batchId, runId, page, limit } = request;
  const pageOf = `${runId}/${page}`;
  const taken = await tx<TakenRow[]>`
    select row, variables, workflow_id, session_id from batch_rows
    where batch_id = ${batchId} and state = 'running' and page = ${pageOf} order by row`;
  if (taken.length > 0) return [...taken];
  const left = await tx<TakenRow[]>`
    update batch_rows set page = ${pageOf} where batch_id = ${batchId} and row in (
      select row from batch_rows r where batch_id = ${batchId} and state = 'running' and page not like ${`${runId}/%`}
        and not exists (select from sessions s where s.session_id = r.session_id and s.run_id is not null)
      order by row limit ${limit})
    returning row, variables, workflow_id, session_id`;
  if (left.length > 0 || batch.state === 'paused') return [...left];
  const rows = (await chooseRows(tx, batch, limit)).map(({ row, variables, attempt }) => {
    const workflowId = rowWorkflowId(batchId, row, attempt);
    return { row, variables, workflowId, sessionId: sessionIdOf(workflowId) };
  });
  const places = rows.map(({ variables: _variables, ...place }) => place);
  await tx`
    update batch_rows b set state = 'running', page = ${pageOf}, workflow_id = r."workflowId", session_id = r."sessionId"
    from jsonb_to_recordset(${tx.json(places)}) as r (row int, "workflowId" text, "sessionId" text)
    where b.batch_id = ${batchId} and b.row = r.row`;
  return rows;
}

/** Ends a batch that has nothing left; of one that is being cancelled, returns the workflows that are still open. */
async function endOrCancel(
  tx: Transaction,
  batchId: string,
  state: BatchState,
): Promise<Pick<BatchPage, 'state' | 'toCancel'>> {
  const open = await tx<{ workflowId: string | null }[]>`
    select workflow_id from batch_rows where batch_id = ${batchId} and state in ('running', 'waiting')
    order by state limit 1000`;
  if (open.length > 0)
    return { state, toCancel: state === 'cancelling' ? open.flatMap(({ workflowId }) => workflowId ?? []) : [] };
  const [end] = await tx<{ state: BatchState }[]>`
    update batches set state = case when state in ('cancelling', 'cancelled') then 'cancelled' else 'completed' end,
      note = null, ended_at = coalesce(ended_at, clock_timestamp())
    where batch_id = ${batchId} returning state`;
  return { state: end!.state, toCancel: [] };
}
