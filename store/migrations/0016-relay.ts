import { sql, type Kysely } from 'kysely';

/** Browsers that are somebody else's: their pairing, who holds the socket of each, and the calls to them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  // Tokens are kept as their SHA-256: they are random, so nothing more is needed to make them useless to a reader.
  `create table relay_pairings (
    token_hash text primary key,
    tenant text not null,
    label text,
    external_user_id text,
    expires_at timestamptz not null,
    used_at timestamptz
  )`,
  `create table browser_sessions (
    browser_session_id text primary key,
    tenant text not null,
    label text,
    external_user_id text,
    token_hash text not null unique,
    expires_at timestamptz not null,
    revoked_at timestamptz,
    created_at timestamptz not null default clock_timestamp(),
    epoch int not null default 0,
    holder text,
    held_at timestamptz,
    connected_at timestamptz,
    memory_id text,
    client text
  )`,
  `create index browser_sessions_by_tenant on browser_sessions (tenant, created_at)`,
  `create index browser_sessions_held on browser_sessions (holder) where holder is not null`,
  // waiting (never sent) -> sent -> answered; waiting -> unsent, from which the same call may be asked for again.
  // deadline_at moves with what happens to the connection, never beyond ends_at.
  // JSON as text: an answer may hold characters that jsonb refuses.
  `create table relay_calls (
    request_id text primary key,
    session_id text not null references sessions on delete cascade,
    browser_session_id text not null,
    tool text not null,
    input text not null,
    timeout_ms int not null,
    wait_ms int not null,
    state text not null default 'waiting',
    created_at timestamptz not null default clock_timestamp(),
    waits_until timestamptz not null,
    sent_epoch int,
    sent_memory text,
    deadline_at timestamptz,
    ends_at timestamptz,
    sendings int not null default 0,
    result text,
    screenshot bytea,
    screenshot_type text,
    is_unknown boolean not null default false,
    settled_at timestamptz,
    task_token bytea,
    beaten_at timestamptz not null default clock_timestamp(),
    completing_at timestamptz,
    completed_at timestamptz
  )`,
  `create index relay_calls_by_session on relay_calls (session_id)`,
  `create index relay_calls_open on relay_calls (browser_session_id, created_at) where state in ('waiting', 'sent')`,
  `create index relay_calls_untold on relay_calls (settled_at) where state in ('answered', 'unsent') and completed_at is null`,
];
