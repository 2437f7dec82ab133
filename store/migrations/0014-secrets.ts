import { sql, type Kysely } from 'kysely';

/** Secrets by alias: where each may be typed, and where its value comes from. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  `create table secrets (
    session_id text not null references sessions on delete cascade,
    alias text not null,
    origins jsonb not null,
    env text,
    sealed text,
    primary key (session_id, alias)
  )`,
  // Nobody types anything for a session that has ended, however it ended.
  `create function forget_secrets() returns trigger language plpgsql as $$
  begin
    update secrets set sealed = null where session_id = new.session_id and sealed is not null;
    return null;
  end $$`,
  `create trigger sessions_forget_secrets after update of closed on sessions
    for each row when (new.closed and not old.closed) execute function forget_secrets()`,
];
