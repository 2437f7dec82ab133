import type { Operations } from '../../contracts/modules/operations';
import type { WaitsFor } from '../../contracts/sessions/session-list';
import type { Sql } from '../database/connect';

/** Keepers report each second. */
export const SILENT_AFTER_MS = 10_000;

export type Present = Pick<Operations, 'hosts' | 'queue' | 'models' | 'rates'> & {
  sessions: Omit<Operations['sessions'], 'webhooksFailed'>;
};

/** What runs and waits now. Hosts and models are those of all tenants. */
export async function readPresent(sql: Sql, tenant: string | undefined): Promise<Present> {
  const isOfTenant = tenant === undefined ? sql`true` : sql`coalesce(s.plan->>'tenant', 'default') = ${tenant}`;
  const [hosts, sessions, queue, models, rates] = await Promise.all([
    readHosts(sql),
    sql<{ waitsFor: WaitsFor | null; count: number }[]>`
      select coalesce(waiting_for->>'pausedFor',
        (select 'approval' from approvals a where a.session_id = s.session_id and a.status = 'pending' limit 1)) as waits_for,
        count(*) as count
      from sessions s where not closed and ${isOfTenant} group by 1 order by 2 desc`,
    sql<Present['queue'][]>`
      select count(*) as waiting,
        coalesce(extract(epoch from clock_timestamp() - min(b.since)) * 1000, 0)::float8 as longest_wait_ms
      from browser_requests b join sessions s using (session_id) where not b.taken and not s.closed and ${isOfTenant}`,
    readModels(sql),
    readRates(sql),
  ]);
  return {
    hosts,
    queue: queue[0]!,
    models,
    rates,
    sessions: {
      open: sessions.reduce((sum, { count }) => sum + count, 0),
      waitingForPerson: sessions.flatMap(({ waitsFor, count }) => (waitsFor === null ? [] : [{ waitsFor, count }])),
    },
  };
}

async function readHosts(sql: Sql): Promise<Present['hosts']> {
  const rows = await sql<Omit<Present['hosts'][number], 'reports'>[]>`
    select host_id, browsers, capacity,
      greatest(extract(epoch from clock_timestamp() - seen_at) * 1000, 0)::float8 as silent_for_ms
    from hosts order by host_id`;
  return rows.map((host) => ({ ...host, reports: host.silentForMs < SILENT_AFTER_MS }));
}

async function readModels(sql: Sql): Promise<Present['models']> {
  const rows = await sql<(Omit<Present['models'][number], 'openUntil'> & { openUntil: Date | null })[]>`
    select model, sum(failures) as failures, max(open_until) as open_until,
      case when max(open_until) > clock_timestamp() then 'open'
        when max(open_until) is not null then 'trying' else 'closed' end as state
    from model_breakers
    where open_until is not null or since > clock_timestamp() - interval '10 minutes'
    group by model order by model`;
  return rows.map(({ openUntil, ...model }) => ({ ...model, ...(openUntil === null ? {} : { openUntil }) }));
}

async function readRates(sql: Sql): Promise<Present['rates']> {
  const rows = await sql<
    { models: string[] | null; calls: number; tokens: number; waiting: number; lastPlaceInMs: number | null }[]
  >`
    select array_agg(distinct c.model) filter (where c.model is not null) as models,
      count(*) filter (where a.call_id is not null) as calls,
      coalesce(sum(a.tokens) filter (where a.call_id is not null), 0) as tokens,
      count(*) filter (where a.call_id is null) as waiting,
      (extract(epoch from max(a.at) filter (where a.call_id is null) - clock_timestamp()) * 1000)::float8 as last_place_in_ms
    from model_admissions a
    join sessions s on s.session_id = a.session_id and (a.call_id is not null or not s.closed)
    left join model_calls c on c.session_id = a.session_id and c.call_id = a.call_id
    where a.at > clock_timestamp() - interval '1 minute'
    group by a.key_hash order by calls desc, a.key_hash`;
  return rows.map(({ models, lastPlaceInMs, ...rate }) => ({
    ...rate,
    models: models ?? [],
    ...(lastPlaceInMs === null ? {} : { lastPlaceInMs: Math.max(0, lastPlaceInMs) }),
  }));
}
