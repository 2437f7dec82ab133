import { sql, type Kysely } from 'kysely';

/** What a session's browser has to be given when its Chrome is gone. As text: jsonb refuses the \u0000 a page may store. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `create table checkpoints (
        session_id text primary key references sessions on delete cascade,
        browser_id text not null,
        epoch int not null,
        checkpoint text not null,
        at timestamptz not null default now()
      )`,
    )
    .execute(db);
}
