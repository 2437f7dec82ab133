import { PERIODS } from '../../contracts/modules/operations';
import type { Sql } from '../database/connect';
import { SILENT_AFTER_MS } from './present';

/** The longest period that is shown, and the day in which it begins. */
const KEPT_DAYS = PERIODS.month.slots + 1;

/** Notes how many browsers are in use now, once a minute whoever asks, and forgets what no period shows any more. */
export async function noteBrowserUse(sql: Sql): Promise<void> {
  await sql`
    insert into browser_use (minute, browsers, waiting)
    select date_trunc('minute', clock_timestamp()), coalesce(sum(browsers), 0),
      (select count(*) from browser_requests b join sessions s using (session_id) where not b.taken and not s.closed)
    from hosts where seen_at > clock_timestamp() - ${SILENT_AFTER_MS} * interval '1 millisecond'
    on conflict do nothing`;
  await sql`delete from browser_use where minute < clock_timestamp() - ${KEPT_DAYS} * interval '1 day'`;
}
