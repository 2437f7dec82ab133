import { PERIODS, type Operations, type OperationsQuery } from '../../contracts/modules/operations';
import type { Sql } from '../database/connect';

export type History = Pick<Operations, 'history' | 'spent'> & {
  failures: Omit<Operations['failures'][number], 'suggestedAction'>[];
  webhooksFailed: number;
};

type Slot = Operations['history'][number];
const NONE = { started: 0, completed: 0, failed: 0, cancelled: 0, open: 0 };
const NO_BROWSERS = { browsers: 0, browsersWaiting: 0 };
const NO_CALLS = { calls: 0, failedCalls: 0, tokens: 0, cost: '0' };

/** What came of sessions and calls of models over a period, in hours or days of a time zone; each read is by an index on the time. */
export async function readHistory(
  sql: Sql,
  { period, timeZone, tenant }: OperationsQuery,
  openNow: number,
): Promise<History> {
  const { unit, slots } = PERIODS[period];
  const isOfTenant = tenant === undefined ? sql`true` : sql`coalesce(s.plan->>'tenant', 'default') = ${tenant}`;
  // Of a call there is more than one a step, so the row of its session is read only where it has to be.
  const ofTenant = tenant === undefined ? sql`` : sql`join sessions s using (session_id)`;
  const starts = await sql<{ at: Date }[]>`
    select local at time zone ${timeZone} as at
    from generate_series(
      date_trunc(${unit}, now() at time zone ${timeZone}) - ${slots - 1} * ${`1 ${unit}`}::interval,
      date_trunc(${unit}, now() at time zone ${timeZone}), ${`1 ${unit}`}::interval) as local
    order by at`;
  const since = starts[0]!.at;
  const slotOf = (column: 'created_at' | 'last_activity' | 'at' | 'minute') =>
    sql`date_trunc(${unit}, ${sql(column)}, ${timeZone})`;
  const [started, ended, calls, browsers, spent, failures, webhooks] = await Promise.all([
    sql<{ at: Date; started: number }[]>`
      select ${slotOf('created_at')} as at, count(*) as started from sessions s
      where created_at >= ${since} and ${isOfTenant} group by 1`,
    sql<{ at: Date; completed: number; failed: number; cancelled: number }[]>`
      select ${slotOf('last_activity')} as at, count(*) filter (where status = 'COMPLETED') as completed,
        count(*) filter (where status = 'FAILED') as failed,
        count(*) filter (where status not in ('COMPLETED', 'FAILED')) as cancelled
      from sessions s where closed and last_activity >= ${since} and ${isOfTenant} group by 1`,
    sql<({ at: Date } & typeof NO_CALLS)[]>`
      select ${slotOf('at')} as at, ${callSums(sql)}
      from model_calls ${ofTenant} where at >= ${since} and ${isOfTenant} group by 1`,
    sql<({ at: Date } & typeof NO_BROWSERS)[]>`
      select ${slotOf('minute')} as at, max(browsers) as browsers, max(waiting) as browsers_waiting
      from browser_use where minute >= ${since} group by 1`,
    sql<History['spent'][number][]>`
      select model, ${callSums(sql)}, count(*) filter (where cost is null) as unpriced_calls
      from model_calls ${ofTenant} where at >= ${since} and ${isOfTenant}
      group by model order by sum(cost) desc nulls last, calls desc limit 50`,
    sql<History['failures'][number][]>`
      select coalesce(error->>'code', 'none') as code, count(*) as count,
        (array_agg(session_id order by last_activity desc))[1] as newest_session_id,
        max(last_activity) as newest_at,
        left((array_agg(coalesce(error->>'message', '') order by last_activity desc))[1], 500) as newest_message
      from sessions s where closed and last_activity >= ${since} and status = 'FAILED' and ${isOfTenant}
      group by 1 order by count desc, code limit 50`,
    sql<{ count: number }[]>`
      select count(*) as count from webhook_deliveries d left join sessions s using (session_id)
      left join batches b on b.batch_id = d.batch_id
      where d.status = 'failed' and d.at >= ${since}
        and ${tenant === undefined ? sql`true` : sql`coalesce(b.tenant, s.plan->>'tenant', 'default') = ${tenant}`}`,
  ]);
  const found = new Map<number, Slot>(
    starts.map(({ at }) => [at.getTime(), { at, ...NONE, ...NO_BROWSERS, ...NO_CALLS }]),
  );
  for (const { at, ...sums } of [...started, ...ended, ...browsers, ...calls])
    Object.assign(found.get(at.getTime()) ?? {}, sums);
  return {
    history: withOpen([...found.values()], openNow),
    spent: [...spent],
    failures: [...failures],
    webhooksFailed: webhooks[0]!.count,
  };
}

/** Summed as numeric and read as text: a sum of money never passes through a float. */
function callSums(sql: Sql) {
  return sql`count(*) as calls, count(*) filter (where outcome not in ('replied', 'lost')) as failed_calls,
    coalesce(sum(input_tokens + output_tokens), 0) as tokens, trim_scale(coalesce(sum(cost), 0))::text as cost`;
}

/** How many sessions were open at the end of each slot follows from how many are open now, and what began and ended since. */
function withOpen(slots: Slot[], openNow: number): Slot[] {
  let open = openNow;
  for (const slot of slots.toReversed()) {
    slot.open = Math.max(0, open);
    open += slot.completed + slot.failed + slot.cancelled - slot.started;
  }
  return slots;
}
