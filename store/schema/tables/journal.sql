-- Every browser command: its intent is written before it acts, its outcome after.
create table commands (
  session_id text not null references sessions on delete cascade,
  command_id text not null,
  step_index int not null,
  turn int not null,
  position int not null,
  action text not null,
  parameters jsonb not null,
  effect text not null,
  target jsonb,
  page_url text,
  epoch int not null,
  attempts int not null default 1,
  status text not null,
  response jsonb,
  error jsonb,
  evidence jsonb,
  dom_id text,
  -- How an outcome that nobody saw was resolved, by the model or by a person.
  resolution jsonb,
  -- The key that the requests of a commit carried, so that a repeated one can carry the same.
  idempotency_key text,
  -- `person`: done by one who has taken the browser over.
  by text,
  intended_at timestamptz not null default now(),
  finished_at timestamptz,
  primary key (session_id, command_id)
);
create index commands_in_order on commands (session_id, step_index, turn);

-- Tool calls with their whole arguments. `pending` holds the records of an end that wait for earlier calls to end.
create table tool_calls (
  session_id text not null references sessions on delete cascade,
  call_id text not null,
  step_index int not null,
  turn int not null,
  position int not null,
  name text not null,
  args jsonb not null,
  -- JSON schema of the arguments, of a tool that is none of the engine's own.
  parameters jsonb,
  function_id text,
  command_id text,
  status text not null default 'planned',
  outcome jsonb,
  pending jsonb,
  attempts int not null default 0,
  planned_at timestamptz not null default clock_timestamp(),
  started_at timestamptz,
  ended_at timestamptz,
  primary key (session_id, call_id)
);
create index tool_calls_command on tool_calls (session_id, command_id) where command_id is not null;

-- What a person was shown of the page for a command, by its digest; sealed, because it holds what stands on the page.
create table approved_views (
  session_id text not null references sessions on delete cascade,
  digest text not null,
  command text not null,
  sealed text not null,
  at timestamptz not null default clock_timestamp(),
  primary key (session_id, digest)
);

-- Calls that wait for a person, and the answers.
create table approvals (
  approval_id text primary key,
  session_id text not null references sessions on delete cascade,
  status text not null,
  approval jsonb not null,
  asked_at timestamptz not null
);
create index approvals_of_session on approvals (session_id);
create index approvals_pending on approvals (asked_at) where status = 'pending';
