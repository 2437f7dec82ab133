import { sql, type Kysely } from 'kysely';

/** Every call of a model that costs something, whatever came of it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `create table model_calls (
        session_id text not null references sessions on delete cascade,
        call_id text not null,
        step_index int not null,
        turn int not null,
        model text not null,
        outcome text not null,
        input_tokens int not null,
        output_tokens int not null,
        cached_tokens int not null,
        is_estimated boolean not null,
        cost numeric,
        price_table text,
        duration_ms int not null,
        at timestamptz not null default now(),
        primary key (session_id, call_id)
      )`,
    )
    .execute(db);
}
