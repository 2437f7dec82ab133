import { sql, type Kysely } from 'kysely';

/** The calls of tools with their whole arguments, and the look whose refs a model has been shown. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const statements = [
    `create table tool_calls (
      session_id text not null references sessions on delete cascade,
      call_id text not null,
      step_index int not null,
      turn int not null,
      position int not null,
      name text not null,
      args jsonb not null,
      function_id text,
      command_id text,
      status text not null default 'planned',
      outcome jsonb,
      pending jsonb,
      attempts int not null default 0,
      planned_at timestamptz not null default clock_timestamp(),
      begun_at timestamptz,
      ended_at timestamptz,
      primary key (session_id, call_id)
    )`,
    `create index tool_calls_command on tool_calls (session_id, command_id) where command_id is not null`,
    `alter table looks add column shown jsonb`,
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}
