import { OPEN_STATUSES, SessionStatus } from '../../contracts/sessions/session';
import type { Sql } from '../database/connect';
import { withReadTimeout } from '../database/read-timeout';
import { withRefusals } from '../database/refusals';
import type { ModuleOverride } from './module-overrides';
import { selectSession, type SessionRow } from './sessions';

export interface SessionCounts {
  total: number;
  /** INITIALIZING, ACTIVE and PAUSED (S1.A1). */
  active: number;
}

/** The rows that module sessions (S1.4) are derived from, and what callers change about them. */
export interface ModuleSessions {
  read(sessionIds: readonly string[]): Promise<SessionRow[]>;
  /** Every open session, and of the others the newest ones up to `limit`. */
  newest(limit: number): Promise<SessionRow[]>;
  /**
   * Replaces what is stored about a module by what `change` makes of the row, which nobody else writes meanwhile. Resolves
   * to false where there is no such session; what `change` throws is thrown, and nothing is written.
   */
  change(sessionId: string, moduleId: string, change: (row: SessionRow, now: Date) => ModuleOverride): Promise<boolean>;
  /** Of all sessions, or of those that have a session for this module. */
  count(moduleId?: string): Promise<SessionCounts>;
  /** Open sessions of whose session for this module something differs from what follows from their rows. */
  overridden(moduleId: string, limit: number): Promise<SessionRow[]>;
  /** Ends the lifecycle of a session whose log is complete: CLEANUP, which no module session outlives. */
  destroyAll(sessionId: string): Promise<void>;
}

export function createModuleSessions(sql: Sql): ModuleSessions {
  const columns = selectSession(sql);
  return {
    async read(sessionIds) {
      const rows = await withReadTimeout(
        sql<SessionRow[]>`select ${columns} from sessions where session_id in ${sql(sessionIds as string[])}`,
      );
      return [...rows];
    },
    async newest(limit) {
      const rows = await withReadTimeout(sql<SessionRow[]>`
        select ${columns} from sessions where not closed or session_id in (
          select session_id from sessions where closed order by created_at desc, session_id limit ${limit})`);
      return [...rows];
    },
    change: (sessionId, moduleId, change) =>
      sql.begin(async (tx) => {
        const [row] = await tx<(SessionRow & { now: Date })[]>`
          select ${columns}, clock_timestamp() as now from sessions where session_id = ${sessionId} for update`;
        if (row === undefined) return false;
        const overrides = { ...row.moduleOverrides, [moduleId]: change(row, row.now) };
        await tx`update sessions set module_overrides = ${tx.json(overrides as never)} where session_id = ${sessionId}`;
        return true;
      }),
    async count(moduleId) {
      const hasModule = sql`
        status <> ${SessionStatus.CLEANUP} and expired_at is null
          and not coalesce((module_overrides->${moduleId ?? ''}->>'isDestroyed')::boolean, false)
          and (${moduleId !== 'executor-streamer'} or plan->'config'->'enableStreaming' is distinct from 'false')`;
      const [row] = await withReadTimeout(sql<SessionCounts[]>`
        select count(*) as total, count(*) filter (where status in ${sql(OPEN_STATUSES as string[])}) as active
        from sessions where ${moduleId === undefined ? sql`true` : hasModule}`);
      return row!;
    },
    async overridden(moduleId, limit) {
      const rows = await withReadTimeout(sql<SessionRow[]>`
        select ${columns} from sessions where not closed and module_overrides ? ${moduleId}
        order by created_at limit ${limit}`);
      return [...rows];
    },
    async destroyAll(sessionId) {
      await withRefusals(sql`
        update sessions set status = ${SessionStatus.CLEANUP} where session_id = ${sessionId} and closed`);
    },
  };
}
