import type { SessionResult } from '../../contracts/results/result';
import type { ResultPart } from '../../contracts/results/result-part';
import type { Sql } from '../database/connect';

interface PartKey {
  sessionId: string;
  stepIndex: number;
  commandId: string;
  /** Of the lease under which the page was read. */
  epoch: number;
}

/** Results of steps, and what they are put together from; the workflow's history holds a summary only. */
export interface Results {
  /** Saves what one command has read; a repeated command replaces it, and a worker whose lease is over changes nothing. */
  savePart(key: PartKey, part: ResultPart): Promise<void>;
  /** The parts of a step in the order in which they were read. */
  parts(sessionId: string, stepIndex: number): Promise<ResultPart[]>;
  save(sessionId: string, result: SessionResult): Promise<void>;
  /** Of one step, or the newest of the session; null where there is none. */
  get(sessionId: string, stepIndex?: number): Promise<SessionResult | null>;
}

export function createResults(sql: Sql): Results {
  return {
    async savePart({ sessionId, stepIndex, commandId, epoch }, part) {
      await sql`
        insert into result_parts (session_id, command_id, step_index, epoch, part)
        select ${sessionId}, ${commandId}, ${stepIndex}, ${epoch}, ${JSON.stringify(part)}
        from sessions where session_id = ${sessionId} and sessions.epoch = ${epoch} and not closed
        on conflict (session_id, command_id) do update set part = excluded.part, epoch = excluded.epoch`;
    },
    async parts(sessionId, stepIndex) {
      const rows = await sql<{ part: string }[]>`
        select part from result_parts where session_id = ${sessionId} and step_index = ${stepIndex} order by number`;
      return rows.map(({ part }) => JSON.parse(part) as ResultPart);
    },
    async save(sessionId, result) {
      await sql`
        insert into results (session_id, step_index, is_complete, result)
        values (${sessionId}, ${result.stepIndex}, ${result.isComplete}, ${JSON.stringify(result)})
        on conflict (session_id, step_index) do update
        set is_complete = excluded.is_complete, result = excluded.result, at = clock_timestamp()`;
    },
    async get(sessionId, stepIndex) {
      const [row] = await sql<{ result: string }[]>`
        select result from results where session_id = ${sessionId}
          ${stepIndex === undefined ? sql`` : sql`and step_index = ${stepIndex}`}
        order by step_index desc limit 1`;
      return row === undefined ? null : (JSON.parse(row.result) as SessionResult);
    },
  };
}
