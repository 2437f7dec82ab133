-- What each extraction read from one page, in the order of the readings. JSON as text: it may hold what jsonb refuses.
create table result_parts (
  session_id text not null references sessions on delete cascade,
  command_id text not null,
  step_index int not null,
  number bigint generated always as identity,
  -- Of the lease under which it was read: a worker with an older one changes nothing.
  epoch int not null,
  part text not null,
  primary key (session_id, command_id)
);

-- The result of a step, put together from its parts.
create table results (
  session_id text not null references sessions on delete cascade,
  step_index int not null,
  is_complete boolean not null,
  result text not null,
  at timestamptz not null default clock_timestamp(),
  primary key (session_id, step_index)
);
