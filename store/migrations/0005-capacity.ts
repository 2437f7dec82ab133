import { sql, type Kysely } from 'kysely';

/** What each host can hold, and the sessions that wait for a browser. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  `alter table hosts add column capacity int not null default 0, add column browsers int not null default 0`,
  // One row a session, of its newest request for a browser; `taken` once a host has begun to answer it.
  `create table browser_requests (
    session_id text primary key references sessions on delete cascade,
    request_id text not null,
    priority int not null default 3,
    since timestamptz not null default now(),
    taken boolean not null default false
  )`,
  `create index browser_requests_waiting on browser_requests (priority, since) where not taken`,
];
