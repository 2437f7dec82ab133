import { ENDED_ROW_STATES, type BatchRow, type BatchRowQuery } from '../../contracts/batches/batch';
import type { Sql } from '../database/connect';
import { withoutNulls } from '../database/rows';

const DEFAULT_LIMIT = 100;

/** The rows of batches with what came of them. */
export interface BatchRows {
  /** In the order of the list; with `endedAfter` in that in which they have ended. */
  list(batchId: string, query: BatchRowQuery): Promise<BatchRow[]>;
}

interface RowColumns extends Omit<BatchRow, 'sessionId' | 'reason' | 'result' | 'endedAt' | 'position'> {
  sessionId: string | null;
  reason: string | null;
  result: string | null;
  endedAt: Date | null;
  position: number | null;
}

export function createBatchRows(sql: Sql): BatchRows {
  return {
    async list(batchId, { state, after = 0, endedAfter, limit = DEFAULT_LIMIT }) {
      const states = state === 'ended' ? ENDED_ROW_STATES : state === undefined ? undefined : [state];
      const rows = await sql<RowColumns[]>`
        select row, state, variables, session_id, attempt, reason, result, ended_at, position
        from batch_rows
        where batch_id = ${batchId} and row > ${after}
          ${states === undefined ? sql`` : sql`and state = any(${states})`}
          ${endedAfter === undefined ? sql`` : sql`and ended_at is not null and position > ${endedAfter}`}
        order by ${endedAfter === undefined ? sql`row` : sql`position`} limit ${limit}`;
      return rows.map(({ result, ...row }) => ({
        ...withoutNulls(row),
        ...(result === null ? {} : { result: JSON.parse(result) as unknown }),
      }));
    },
  };
}
