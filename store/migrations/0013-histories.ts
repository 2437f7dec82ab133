import { sql, type Kysely } from 'kysely';

/** What is left of a log when its session has ended: the newest `maxHistorySize` records (S1.26.2), from `first_seq` on. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  `alter table sessions add column first_seq int not null default 1`,
  `alter table sessions add column history_cut boolean not null default false`,
  `create index sessions_uncut on sessions (session_id) where closed and not history_cut`,
];
