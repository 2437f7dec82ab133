-- Pairing tokens of remote browsers. Tokens are kept as their SHA-256: they are random, so that is enough.
create table relay_pairings (
  token_hash text primary key,
  tenant text not null,
  label text,
  external_user_id text,
  expires_at timestamptz not null,
  used_at timestamptz
);

-- Tokens that were issued under an Idempotency-Key, sealed, for a day.
create table relay_keys (
  key_hash text primary key,
  request_hash text not null,
  sealed text,
  created_at timestamptz not null default clock_timestamp()
);

-- Remote browsers, and the process that holds the socket of each.
create table browser_sessions (
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
);
create index browser_sessions_by_tenant on browser_sessions (tenant, created_at);
create index browser_sessions_held on browser_sessions (holder) where holder is not null;

-- Calls to remote browsers: waiting (never sent) -> sent -> answered; waiting -> unsent, which may be requested again.
-- deadline_at moves with the connection, never beyond ends_at. JSON as text: an answer may hold what jsonb refuses.
create table relay_calls (
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
  send_count int not null default 0,
  result text,
  screenshot bytea,
  screenshot_type text,
  is_unknown boolean not null default false,
  settled_at timestamptz,
  -- Completes the activity that waits for the call; the last heartbeat of it, and whether it was completed.
  task_token bytea,
  heartbeat_at timestamptz not null default clock_timestamp(),
  reporting_at timestamptz,
  reported_at timestamptz
);
create index relay_calls_by_session on relay_calls (session_id);
create index relay_calls_open on relay_calls (browser_session_id, created_at) where state in ('waiting', 'sent');
create index relay_calls_unreported on relay_calls (settled_at) where state in ('answered', 'unsent') and reported_at is null;
