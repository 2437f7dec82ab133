import { sql, type Kysely } from 'kysely';

/** What a session asks a person, and how the outcome of a command that nobody saw end was resolved. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('alter table sessions add column waiting_for jsonb').execute(db);
  await sql.raw('alter table commands add column resolution jsonb').execute(db);
}
