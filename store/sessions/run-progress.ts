import type { Sql } from '../database/connect';

/**
 * How far the run of a session had come in Temporal, as the database knows it: the witness against a Temporal that was put
 * back to an earlier time under workers that go on with what they have in memory.
 */
export interface RunProgress {
  /** Events of its history at the run's last write; null where it has written nothing yet, or not since it was asked. */
  historyLength: number | null;
  /** For so long the session has been asked to compare what it knows, without an answer; null where it was not. */
  askedForMs: number | null;
  /** A run that nobody may write for any more, because it is to be started over. */
  runToStartOver: string | null;
  /** How often a run of the session was started over. */
  startedOver: number;
}

export interface RunProgressStore {
  /** The workflows of all sessions that have not ended. */
  openWorkflows(): Promise<string[]>;
  /** Notes that the session is asked to compare what it knows: it answers by its next write. */
  ask(sessionId: string): Promise<void>;
  /** Notes that the session has answered. */
  answered(sessionId: string): Promise<void>;
  /**
   * Fences this run off, so that another one can take the session over from the beginning of its history. False where it is not
   * the session's run any more.
   */
  fenceOff(sessionId: string, runId: string): Promise<boolean>;
  /** Has the run write in place of the one that it was reset from. False where another one has taken the session over. */
  adopt(sessionId: string, from: string, runId: string): Promise<boolean>;
}

/** The columns of RunProgress. */
export function selectRunProgress(sql: Sql) {
  return sql`history_length, extract(epoch from clock_timestamp() - verify_asked_at)::float8 * 1000 as asked_for_ms,
    run_to_start_over, started_over`;
}

export function createRunProgress(sql: Sql): RunProgressStore {
  return {
    async openWorkflows() {
      const rows = await sql<{ workflowId: string }[]>`select workflow_id from sessions where not closed`;
      return rows.map(({ workflowId }) => workflowId);
    },
    async ask(sessionId) {
      await sql`
        update sessions set verify_asked_at = coalesce(verify_asked_at, clock_timestamp()), history_length = null
        where session_id = ${sessionId}`;
    },
    async answered(sessionId) {
      await sql`update sessions set verify_asked_at = null where session_id = ${sessionId}`;
    },
    async fenceOff(sessionId, runId) {
      const [row] = await sql`
        update sessions set run_id = null, run_to_start_over = ${runId}, started_over = started_over + 1,
          verify_asked_at = null, history_length = null
        where session_id = ${sessionId} and coalesce(run_id, ${runId}) = ${runId} and not closed returning session_id`;
      return row !== undefined;
    },
    async adopt(sessionId, from, runId) {
      const [row] = await sql`
        update sessions set run_id = ${runId}, history_length = null, verify_asked_at = null
        where session_id = ${sessionId} and run_id in (${from}, ${runId}) and not closed returning session_id`;
      return row !== undefined;
    },
  };
}
