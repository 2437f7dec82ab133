import type { Sql } from '../database/connect';
import { eraseSessionRows, tablesOfSessions, type Erasure } from '../sessions/erase-session';
import type { Files } from '../files/files';

/** How long the data of ended sessions are kept. */
export interface RetentionPolicy {
  /** Screenshots, DOMs and traces, counted from the session's end. */
  artifactHours: number;
  /** So many artifacts of each kind, the newest, are kept once the session has ended. */
  artifactsPerSession: number;
  /** Log, journal, answers of the model, variables. The session's row stays, so that its log is known to be expired. */
  sessionDays: number;
  /** The row itself, and with it the Idempotency-Key that started the session. */
  tombstoneDays: number;
  /** Uploaded files, counted from the upload. */
  uploadDays: number;
}

/**
 * Deletes expired data of sessions whose log is complete, in small batches, by the database's clock. Rows are deleted
 * first and files after them; a kill in between leaves orphans (store/retention/orphan-files.ts). Any number of workers may do so at once.
 */
export interface Retention {
  /** Resolves to how many it removed, at most a batch: call it again until it is none. */
  expireArtifacts(keep: Pick<RetentionPolicy, 'artifactHours' | 'artifactsPerSession'>): Promise<number>;
  /** As expireArtifacts. */
  expireSessions(keep: Pick<RetentionPolicy, 'sessionDays'>): Promise<number>;
  /** Of each session that has ended since the last time, all but the newest `maxHistorySize` records (S1.26.2). */
  trimHistories(): Promise<number>;
  /** As expireArtifacts. */
  deleteSessions(keep: Pick<RetentionPolicy, 'tombstoneDays'>): Promise<number>;
  /** Deletes one session that has ended, at once and whole. */
  erase(sessionId: string): Promise<Erasure>;
  /** Hosts that were silent for so long that no session waits for them. */
  deleteSilentHosts(keep: Pick<RetentionPolicy, 'sessionDays'>): Promise<number>;
}

const BATCH = 200;

export function createRetention(sql: Sql, files: Files): Retention {
  const olderThan = (count: number, unit: 'hour' | 'day') =>
    sql`clock_timestamp() - ${count} * ${unit === 'hour' ? sql`interval '1 hour'` : sql`interval '1 day'`}`;

  return {
    erase: (sessionId) => eraseSessionRows(sql, files, sessionId),

    async expireArtifacts({ artifactHours, artifactsPerSession }) {
      const old = await sql<{ path: string }[]>`
        delete from artifacts where (session_id, artifact_id) in (
          select a.session_id, a.artifact_id from artifacts a join sessions s using (session_id)
          where s.closed and s.last_activity < ${olderThan(artifactHours, 'hour')}
          limit ${BATCH} for update of a skip locked)
        returning path`;
      const tooMany = await sql<{ path: string }[]>`
        delete from artifacts where (session_id, artifact_id) in (
          select session_id, artifact_id from (
            select a.session_id, a.artifact_id,
              row_number() over (partition by a.session_id, a.kind order by a.at desc, a.artifact_id desc) as place
            from artifacts a join sessions s using (session_id) where s.closed) as counted
          where place > ${artifactsPerSession} limit ${BATCH})
        returning path`;
      const paths = [...old, ...tooMany].map((row) => row.path);
      await files.remove(paths);
      return paths.length;
    },

    async expireSessions({ sessionDays }) {
      const { count, paths } = await sql.begin(async (tx) => {
        const rows = await tx<{ sessionId: string }[]>`
          select session_id from sessions s
          where closed and expired_at is null and last_activity < ${olderThan(sessionDays, 'day')}
            and not exists (select from leases l where l.session_id = s.session_id)
          order by last_activity limit ${BATCH} for update skip locked`;
        const ids = rows.map((row) => row.sessionId);
        if (ids.length === 0) return { count: 0, paths: [] };
        const gone = await tx<{ path: string }[]>`delete from artifacts where session_id in ${tx(ids)} returning path`;
        for (const table of await tablesOfSessions(tx))
          await tx`delete from ${tx(table)} where session_id in ${tx(ids)}`;
        await tx`
          update sessions set expired_at = clock_timestamp(), plan = jsonb_set(plan, '{variables}', '{}')
          where session_id in ${tx(ids)}`;
        return { count: ids.length, paths: gone.map((row) => row.path) };
      });
      await files.remove(paths);
      return count;
    },

    async trimHistories() {
      let removed = 0;
      for (;;) {
        const trimmed = await sql<{ removed: number }[]>`
          with due as (
            select session_id,
              greatest(first_seq, next_seq - (plan->'config'->'stream'->>'maxHistorySize')::int) as first_seq
            from sessions where closed and not history_trimmed limit ${BATCH} for update skip locked),
          gone as (
            delete from events e using due where e.session_id = due.session_id and e.seq < due.first_seq returning 1)
          update sessions s set history_trimmed = true, first_seq = coalesce(due.first_seq, s.first_seq)
          from due where s.session_id = due.session_id
          returning (select count(*)::int from gone) as removed`;
        removed += trimmed[0]?.removed ?? 0;
        if (trimmed.length === 0) return removed;
      }
    },

    async deleteSessions({ tombstoneDays }) {
      const gone = await sql`
        delete from sessions where session_id in (
          select session_id from sessions where expired_at is not null
            and last_activity < ${olderThan(tombstoneDays, 'day')}
          limit ${BATCH} for update skip locked)`;
      return gone.count;
    },

    async deleteSilentHosts({ sessionDays }) {
      const gone = await sql`
        delete from hosts h where seen_at < ${olderThan(sessionDays, 'day')}
          and not exists (select from leases l where l.host_id = h.host_id)`;
      return gone.count;
    },
  };
}
