-- The state of the browser and the snapshot of its page before each step, from which other sessions can go on.
create table step_checkpoints (
  session_id text not null references sessions on delete cascade,
  step_index int not null,
  browser_id text not null,
  checkpoint text not null,
  snapshot jsonb not null,
  at timestamptz not null default now(),
  primary key (session_id, step_index)
);
