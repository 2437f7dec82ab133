import { sql, type Kysely } from 'kysely';

/** Calls that wait for a person, and what was said of them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const statements = [
    `create table approvals (
      approval_id text primary key,
      session_id text not null references sessions on delete cascade,
      status text not null,
      approval jsonb not null,
      asked_at timestamptz not null
    )`,
    `create index approvals_of_session on approvals (session_id)`,
    `create index approvals_pending on approvals (asked_at) where status = 'pending'`,
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}
