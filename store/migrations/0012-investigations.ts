import { sql, type Kysely } from 'kysely';

/** What investigations found and what sessions have learnt; and, of a reply, the page it was given for. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const statements = [
    `alter table replies add column look_digest text, add column repeat_at int`,
    `create table investigation_phases (
      session_id text not null references sessions on delete cascade,
      step_index int not null,
      turn int not null,
      phase text not null,
      findings jsonb not null default '[]',
      judgement jsonb,
      at timestamptz not null default now(),
      primary key (session_id, step_index, turn, phase)
    )`,
    `create table working_memory (
      session_id text not null references sessions on delete cascade,
      kind text not null,
      key text not null,
      page text,
      entry jsonb not null,
      confidence real not null,
      at timestamptz not null default clock_timestamp(),
      primary key (session_id, kind, key)
    )`,
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}
