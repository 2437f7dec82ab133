-- A person at a session's browser: the newest takeover of each session. opened: the session was paused
-- for it. wanted_end: why it is to end, once a worker has kept
-- the page.
create table takeovers (
  session_id text primary key references sessions on delete cascade,
  takeover_id text not null,
  by text,
  last_number int not null default 0,
  opened boolean not null default false,
  wanted_end text,
  ended boolean not null default false,
  active_at timestamptz not null default clock_timestamp()
);
-- What a person does and no worker has begun yet, sealed: it may be a password. Its intent in the journal removes it.
create table takeover_acts (
  session_id text not null references sessions on delete cascade,
  takeover_id text not null,
  number int not null,
  act text not null,
  primary key (session_id, takeover_id, number)
);
