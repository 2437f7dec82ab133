import type { SessionSort, WaitsFor } from '../../contracts/sessions/session-list';
import type { SessionStatus } from '../../contracts/sessions/session';
import type { PendingQuery, Row as PostgresRow } from 'postgres';
import type { Sql } from '../database/connect';
import { withReadTimeout } from '../database/read-timeout';

export interface SessionListOptions {
  statuses?: readonly SessionStatus[] | undefined;
  /** Only those that wait for a person, or only the others. */
  isWaiting?: boolean | undefined;
  /** In the name or the first step, or at the beginning of an id. */
  search?: string | undefined;
  /** The newest first where it is left out. */
  sort?: SessionSort | undefined;
  page: number;
  pageSize: number;
}

/** What a list shows beside a session's row. */
export interface ListFacts {
  /** The name, or else the first step. */
  title: string;
  /** What a person is asked for; null where nobody is. */
  waitsFor: WaitsFor | null;
  /** Place in the queue for a browser, from 1; null when it does not wait for one. */
  queuePosition: number | null;
  /** Of its model calls so far, in US dollars. */
  cost: string;
}

/** Lists a page of sessions. Everything but the order is read for the rows of the page alone. */
export async function listSessions<Row extends object>(
  sql: Sql,
  columns: PendingQuery<PostgresRow[]>,
  { statuses, isWaiting, search = '', sort = '-createdAt', page, pageSize }: SessionListOptions,
): Promise<{ rows: (Row & ListFacts)[]; total: number }> {
  const waitsFor = sql`case when not closed then coalesce(waiting_for->>'pausedFor',
    (select 'approval' from approvals a where a.session_id = s.session_id and a.status = 'pending' limit 1)) end`;
  const order = {
    createdAt: sql`created_at`,
    '-createdAt': sql`created_at desc`,
    lastActivity: sql`last_activity`,
    '-lastActivity': sql`last_activity desc`,
    name: sql`lower(title)`,
    '-name': sql`lower(title) desc`,
  }[sort];
  const where = sql`${statuses === undefined ? sql`true` : sql`status in ${sql(statuses as string[])}`}
    and ${isWaiting === undefined ? sql`true` : sql`(${waitsFor} is not null) = ${isWaiting}`}
    and ${search === '' ? sql`true` : sql`(title ilike ${`%${escaped(search)}%`} or session_id like ${`${escaped(search.toLowerCase())}%`})`}`;
  const rows = await withReadTimeout(
    sql<(Row & ListFacts & { total: number })[]>`
      with page as (
        select session_id, count(*) over () as total, row_number() over (order by ${order}, session_id) as place
        from sessions s where ${where} order by place limit ${pageSize} offset ${(page - 1) * pageSize})
      select ${columns}, title, total, ${waitsFor} as waits_for, session_usage(s.session_id)->>'cost' as cost,
        (select 1 + count(*) from browser_requests mine
          join browser_requests b on not b.taken and (b.priority, b.since, b.session_id) < (mine.priority, mine.since, mine.session_id)
          join sessions o on o.session_id = b.session_id and not o.closed
          where mine.session_id = s.session_id and not mine.taken and not s.closed
          group by mine.session_id) as queue_position
      from page join sessions s using (session_id) order by place`,
  );
  if (rows.length > 0 || page === 1)
    return {
      rows: rows.map(({ total: _total, ...row }) => row as unknown as Row & ListFacts),
      total: rows[0]?.total ?? 0,
    };
  const [count] = await sql<{ total: number }[]>`select count(*) as total from sessions s where ${where}`;
  return { rows: [], total: count!.total };
}

/** A text that LIKE takes as it is. */
function escaped(text: string): string {
  return text.replaceAll(/[\\%_]/g, (character) => `\\${character}`);
}
