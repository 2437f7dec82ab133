-- The event log. `facts` holds what event formats beside S1 need of a record.
create table events (
  session_id text not null references sessions on delete cascade,
  seq bigint not null,
  event_id text not null,
  owner text not null,
  type text not null,
  at timestamptz not null,
  attempt int,
  step_index int,
  turn int,
  data jsonb not null,
  facts jsonb,
  primary key (session_id, seq),
  unique (session_id, event_id)
);
