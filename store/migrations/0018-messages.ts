import { sql, type Kysely } from 'kysely';

/** Conversations of tasks: what was said in each turn, once. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `create table messages (
        session_id text not null references sessions on delete cascade,
        step_index int not null,
        turn int not null,
        place int not null,
        kind text not null,
        body jsonb not null,
        at timestamptz not null default clock_timestamp(),
        primary key (session_id, step_index, turn, place)
      )`,
    )
    .execute(db);
}
