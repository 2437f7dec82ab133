import type { Row } from 'postgres';
import { OPEN_STATUSES, SessionStatus } from '../../contracts/sessions/session';
import { withReadTimeout } from '../database/read-timeout';
import type { Sql } from '../database/connect';
import { withRefusals } from '../database/refusals';
import { toRow, type SessionRow } from './sessions';

/** A session's row with its module sessions as they are stored (not checked yet) and its links, of one moment. */
export interface LinkedSession {
  row: SessionRow;
  modules: unknown[];
  /** Module id to module session id (S1.R6). */
  links: Record<string, string>;
}

export interface SessionCounts {
  total: number;
  /** INITIALIZING, ACTIVE and PAUSED (S1.A1). */
  active: number;
}

/**
 * The module sessions (S1.4) and their links. They are created, moved along and removed with their session by the
 * database itself; these calls are for what a module says of its own.
 */
export interface ModuleSessions {
  read(sessionIds: readonly string[]): Promise<LinkedSession[]>;
  /** Every open session, and of the others the newest ones up to `limit`. */
  newest(limit: number): Promise<LinkedSession[]>;
  /** Resolves to its id, which is the one of before where there is one; to null when there is no such session any more. */
  create(sessionId: string, moduleId: string, config: object): Promise<string | null>;
  remove(sessionId: string, moduleId: string): Promise<void>;
  /** Resolves to false when there is none. Throws StoreRefusal for an illegal change (S1.A1). */
  setStatus(sessionId: string, moduleId: string, status: SessionStatus): Promise<boolean>;
  /** Resolves to false when there is none. */
  touch(sessionId: string, moduleId: string): Promise<boolean>;
  link(sessionId: string, moduleId: string, moduleSessionId: string): Promise<void>;
  unlink(sessionId: string, moduleId: string): Promise<void>;
  /** Of all workflow sessions, or of those of one module. */
  count(moduleId?: string): Promise<SessionCounts>;
  /** Open sessions whose session of this module is missing, not linked to it, or of another status. */
  damaged(moduleId: string, limit: number): Promise<string[]>;
  /** Ends the lifecycle of a session whose log is complete: CLEANUP, its module sessions and links gone, in one transaction. */
  destroyAll(sessionId: string): Promise<void>;
}

function toLinked(row: Row): LinkedSession {
  return { row: toRow(row), modules: row.modules, links: row.links };
}

export function createModuleSessions(sql: Sql): ModuleSessions {
  /** One statement, so that what belongs together is of one moment. */
  const LINKED = sql`
    s.*,
    coalesce((select jsonb_agg(jsonb_build_object('moduleId', m.module_id, 'sessionId', m.module_session_id,
        'linkedWorkflowSessionId', m.session_id, 'status', m.status, 'createdAt', m.created_at,
        'lastActivity', m.last_activity, 'metadata', coalesce(m.config->'metadata', '{}')) order by k.place, m.created_at)
      from module_sessions m left join modules k using (module_id) where m.session_id = s.session_id), '[]') as modules,
    coalesce((select jsonb_object_agg(l.module_id, l.module_session_id)
      from module_links l where l.session_id = s.session_id), '{}') as links`;

  return {
    async read(sessionIds) {
      const rows = await withReadTimeout(
        sql`select ${LINKED} from sessions s where session_id in ${sql(sessionIds as string[])}`,
      );
      return rows.map(toLinked);
    },
    async newest(limit) {
      const rows = await withReadTimeout(sql`
        select ${LINKED} from sessions s where not closed or session_id in (
          select session_id from sessions where closed order by created_at desc, session_id limit ${limit})`);
      return rows.map(toLinked);
    },
    async create(sessionId, moduleId, config) {
      // The lock keeps the session's status from moving on between being read and being written.
      return await sql.begin(async (tx) => {
        const [session] = await tx`
          select status, executor_session_id, stream_id from sessions
          where session_id = ${sessionId} and status <> ${SessionStatus.CLEANUP} for update`;
        if (session === undefined) return null;
        const ids: Record<string, string> = {
          executor: session.executorSessionId,
          'executor-streamer': session.streamId,
        };
        await tx`
          insert into module_sessions (session_id, module_id, module_session_id, status, config)
          values (${sessionId}, ${moduleId}, coalesce(${ids[moduleId] ?? null}, gen_random_uuid()::text),
            ${session.status}, ${tx.json(config as never)})
          on conflict do nothing`;
        await tx`select pg_notify('surefoot_sessions', ${sessionId})`;
        const [made] = await tx`
          select module_session_id from module_sessions where session_id = ${sessionId} and module_id = ${moduleId}`;
        return made!.moduleSessionId as string;
      });
    },
    async remove(sessionId, moduleId) {
      await sql`delete from module_sessions where session_id = ${sessionId} and module_id = ${moduleId}`;
    },
    async setStatus(sessionId, moduleId, status) {
      const { count } = await withRefusals(sql`
        update module_sessions set status = ${status}, last_activity = clock_timestamp()
        where session_id = ${sessionId} and module_id = ${moduleId}`);
      return count > 0;
    },
    async touch(sessionId, moduleId) {
      const { count } = await sql`
        update module_sessions set last_activity = clock_timestamp()
        where session_id = ${sessionId} and module_id = ${moduleId}`;
      return count > 0;
    },
    async link(sessionId, moduleId, moduleSessionId) {
      await sql.begin(async (tx) => {
        await tx`
          insert into module_links (session_id, module_id, module_session_id)
          values (${sessionId}, ${moduleId}, ${moduleSessionId})
          on conflict (session_id, module_id) do update set module_session_id = excluded.module_session_id`;
        await tx`select pg_notify('surefoot_sessions', ${sessionId})`;
      });
    },
    async unlink(sessionId, moduleId) {
      await sql`delete from module_links where session_id = ${sessionId} and module_id = ${moduleId}`;
    },
    async count(moduleId) {
      const open = sql`count(*) filter (where status in ${sql(OPEN_STATUSES as string[])})`;
      const [row] = await withReadTimeout(
        moduleId === undefined
          ? sql`select count(*) as total, ${open} as active from sessions`
          : sql`select count(*) as total, ${open} as active from module_sessions where module_id = ${moduleId}`,
      );
      return { total: row!.total, active: row!.active };
    },
    async damaged(moduleId, limit) {
      const rows = await withReadTimeout(sql`
        select s.session_id from sessions s
          left join module_sessions m on m.session_id = s.session_id and m.module_id = ${moduleId}
          left join module_links l on l.session_id = s.session_id and l.module_id = ${moduleId}
        where not s.closed and (m.status is distinct from s.status
          or l.module_session_id is distinct from m.module_session_id)
          and not exists (select from modules k where k.module_id = ${moduleId} and k.publishes_streams
            and m.module_id is null and s.plan->'config'->'enableStreaming' = 'false')
        order by s.created_at limit ${limit}`);
      return rows.map((row) => row.sessionId as string);
    },
    async destroyAll(sessionId) {
      await withRefusals(sql`
        update sessions set status = ${SessionStatus.CLEANUP} where session_id = ${sessionId} and closed`);
    },
  };
}
