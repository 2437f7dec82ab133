import { sql, type Kysely } from 'kysely';

/** The key that the requests of a commit carried, so that one sent anew for it can carry the same. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  `alter table commands add column idempotency_key text`,

  `create function journal_intend_keyed(p_session text, p_guard jsonb, p_command jsonb, p_records jsonb, p_key text)
  returns bigint language plpgsql as $$
  declare seq bigint;
  begin
    seq := journal_intend(p_session, p_guard, p_command, p_records);
    update commands set idempotency_key = p_key
    where session_id = p_session and command_id = p_command->>'commandId';
    return seq;
  end $$`,
];
