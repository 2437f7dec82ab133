import type { Sql } from '../database/connect';
import type { Files } from '../files/files';

/** Longer than any write takes between its file and its row. */
const SETTLED = '1 hour';
const HOUR_MS = 3_600_000;

/** Removes files without a row: parts of a killed write, or files whose row was deleted first. */
export async function removeOrphanFiles(
  sql: Sql,
  files: Files,
  { artifactHours }: { artifactHours: number },
): Promise<number> {
  return await files.removeOrphans({
    unknownMs: artifactHours * HOUR_MS,
    async lookUp(ids) {
      const rows = await sql<{ sessionId: string; isSettled: boolean }[]>`
        select session_id, closed and last_activity < clock_timestamp() - ${SETTLED}::interval as is_settled
        from sessions where session_id in ${sql(ids)}`;
      const kept = await sql<{ path: string }[]>`select path from artifacts where session_id in ${sql(ids)}`;
      const [clock] = await sql<{ now: Date }[]>`select clock_timestamp() as now`;
      return {
        isSettled: new Map(rows.map(({ sessionId, isSettled }) => [sessionId, isSettled])),
        paths: new Set(kept.map(({ path }) => path)),
        now: clock!.now,
      };
    },
  });
}
