-- One row a session: the read model of the API, and the row that every writer of the session locks first.
create table sessions (
  session_id text primary key,
  workflow_id text not null unique,
  -- The Temporal run that may write; null until the workflow has begun.
  run_id text,
  status text not null,
  paused boolean not null default false,
  closed boolean not null default false,
  -- Of the system that made it.
  version text not null default '1.0.0',
  -- Of the oldest record that is kept, and of the next one.
  first_seq int not null default 1,
  next_seq bigint not null default 1,
  -- Grows with each lease of the session's browser; a writer with an older one is fenced off.
  epoch int not null default 0,
  -- Which attempt at which activity of which run acquired the browser last: an older one acquires it no more.
  holder_run text,
  holder_activity int,
  holder_attempt int,
  holder_at bigint,
  executor_session_id text not null,
  stream_id text not null,
  ai_connection_id text not null,
  plan jsonb not null,
  -- What lists call it: its name, or else its first step.
  title text not null generated always as (coalesce(plan->>'name', left(plan->'steps'->0->>'instruction', 200), '')) stored,
  current_step int not null default 0,
  error jsonb,
  -- What a person is asked for.
  waiting_for jsonb,
  budget jsonb,
  -- What callers changed about module sessions, by module id; everything else about them follows from this row.
  module_overrides jsonb not null default '{}',
  -- The newest patch of this row by the run that wrote it; an older number changes nothing.
  patch_run text,
  patch_number bigint,
  created_at timestamptz not null default now(),
  last_activity timestamptz not null default now(),
  checked_at timestamptz not null default now(),
  -- How long the history of its run was at its last write; null from the moment that it was asked until it has written again.
  history_length int,
  -- Since when it has been asked to compare what it knows; null once it has answered.
  verify_asked_at timestamptz,
  -- The run that is to be started over, and how often one was.
  run_to_start_over text,
  started_over int not null default 0,
  history_trimmed boolean not null default false,
  expired_at timestamptz
);
create index sessions_by_creation on sessions (created_at desc, session_id);
create index sessions_open on sessions (checked_at) where not closed or verify_asked_at is not null;
create index sessions_ended on sessions (last_activity) where closed;
create index sessions_untrimmed on sessions (session_id) where closed and not history_trimmed;

-- The legal changes of a session's status (S1.A1).
create table status_changes (
  old_status text not null,
  new_status text not null,
  primary key (old_status, new_status)
);
insert into status_changes (old_status, new_status) values
  ('INITIALIZING', 'ACTIVE'), ('INITIALIZING', 'FAILED'), ('INITIALIZING', 'CANCELLED'), ('INITIALIZING', 'CLEANUP'),
  ('ACTIVE', 'PAUSED'), ('ACTIVE', 'COMPLETED'), ('ACTIVE', 'FAILED'), ('ACTIVE', 'CANCELLED'), ('ACTIVE', 'CLEANUP'),
  ('PAUSED', 'ACTIVE'), ('PAUSED', 'FAILED'), ('PAUSED', 'CANCELLED'), ('PAUSED', 'CLEANUP'),
  ('COMPLETED', 'CLEANUP'), ('FAILED', 'CLEANUP'), ('CANCELLED', 'CLEANUP');

create table variables (
  session_id text not null references sessions on delete cascade,
  name text not null,
  value text,
  env text,
  previous_value text,
  source text not null,
  step_index int,
  at timestamptz not null default now(),
  primary key (session_id, name)
);

-- Secrets by alias: the origins where each may be typed, and where its value comes from.
create table secrets (
  session_id text not null references sessions on delete cascade,
  alias text not null,
  origins jsonb not null,
  env text,
  sealed text,
  primary key (session_id, alias)
);

create table artifacts (
  session_id text not null references sessions on delete cascade,
  artifact_id text not null,
  kind text not null,
  media_type text not null,
  path text not null,
  bytes int not null,
  sha256 text not null,
  step_index int,
  command_id text,
  facts jsonb not null default '{}',
  at timestamptz not null default now(),
  primary key (session_id, artifact_id)
);
create index artifacts_by_kind on artifacts (session_id, kind, at);

-- Messages to sessions, each stored before it is sent; message_id is the id of the update that carries it. The input is JSON as
-- text: it may hold what jsonb refuses. Whoever sends a message takes it for a while.
create table control_messages (
  message_id text primary key,
  number bigint generated always as identity,
  session_id text not null references sessions on delete cascade,
  name text not null,
  request_hash text not null,
  input text not null,
  state text not null default 'pending',
  answer jsonb,
  refusal jsonb,
  taken_until timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  settled_at timestamptz
);
create index control_messages_by_session on control_messages (session_id, number);
create index control_messages_pending on control_messages (number) where state = 'pending';

-- The processes that run now, with their versions.
create table processes (
  process_id text primary key,
  module_id text not null,
  version text not null,
  supports jsonb not null,
  -- Of the key that seals secrets.
  key_id text not null,
  seen_at timestamptz not null default clock_timestamp()
);
