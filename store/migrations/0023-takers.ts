import { sql, type Kysely } from 'kysely';

/** Which attempt at which activity of a run has taken the browser last: an older one takes it no more. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const columns = ['taker_run text', 'taker_activity int', 'taker_attempt int'];
  await sql.raw(`alter table sessions ${columns.map((column) => `add column ${column}`).join(', ')}`).execute(db);
}
