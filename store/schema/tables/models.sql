-- The accepted reply of each model turn of a step.
create table replies (
  session_id text not null references sessions on delete cascade,
  step_index int not null,
  turn int not null,
  reply jsonb not null,
  model text not null,
  usage jsonb not null,
  commands jsonb not null,
  -- Of the page that the reply was given for: equal for pages that read the same.
  snapshot_digest text,
  repeat_at int,
  at timestamptz not null default now(),
  primary key (session_id, step_index, turn)
);

-- The newest snapshot of each session's page, and the one whose refs a model was shown last.
create table page_snapshots (
  session_id text primary key references sessions on delete cascade,
  newest jsonb not null,
  shown jsonb,
  at timestamptz not null default now()
);

create table step_results (
  session_id text not null references sessions on delete cascade,
  step_index int not null,
  status text not null,
  reasoning text not null,
  duration_ms int not null,
  error jsonb,
  page jsonb not null,
  primary key (session_id, step_index)
);

-- The conversations of tasks: one row a message; position -1 notes that the turn began.
create table messages (
  session_id text not null references sessions on delete cascade,
  step_index int not null,
  turn int not null,
  position int not null,
  kind text not null,
  body jsonb not null,
  at timestamptz not null default clock_timestamp(),
  primary key (session_id, step_index, turn, position)
);

create table investigation_phases (
  session_id text not null references sessions on delete cascade,
  step_index int not null,
  turn int not null,
  phase text not null,
  findings jsonb not null default '[]',
  judgement jsonb,
  at timestamptz not null default now(),
  primary key (session_id, step_index, turn, phase)
);

create table working_memory (
  session_id text not null references sessions on delete cascade,
  kind text not null,
  key text not null,
  page text,
  entry jsonb not null,
  confidence real not null,
  at timestamptz not null default clock_timestamp(),
  primary key (session_id, kind, key)
);

-- Every call of a model that costs something. The reserved amounts are what a call under way may still come to.
create table model_calls (
  session_id text not null references sessions on delete cascade,
  call_id text not null,
  step_index int not null,
  turn int not null,
  model text not null,
  outcome text not null,
  input_tokens int not null,
  output_tokens int not null,
  cached_tokens int not null,
  is_estimated boolean not null,
  cost numeric,
  price_table text,
  duration_ms int not null,
  at timestamptz not null default now(),
  requested_by text,
  attempt int,
  reserved_tokens int not null default 0,
  reserved_cost numeric not null default 0,
  primary key (session_id, call_id)
);

-- Locked while a call with the key is admitted.
create table model_keys (key_hash text primary key);

-- The calls of the last minute, and the places in the minutes to come (call_id is null).
create table model_admissions (
  admission_id bigint generated always as identity primary key,
  key_hash text not null,
  session_id text not null references sessions on delete cascade,
  call_id text,
  at timestamptz not null,
  tokens int not null
);
create index model_admissions_by_time on model_admissions (key_hash, at desc, admission_id desc);

create table model_breakers (
  key_hash text not null,
  model text not null,
  failures int not null,
  since timestamptz not null,
  open_until timestamptz,
  probe_call text,
  probe_until timestamptz,
  primary key (key_hash, model)
);
