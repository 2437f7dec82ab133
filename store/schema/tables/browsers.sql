-- The hosts, each a keeper with its browser workers, and how many browsers each may keep and keeps.
create table hosts (
  host_id text primary key,
  keeper_url text not null,
  keeper_token text not null,
  capacity int not null default 0,
  browsers int not null default 0,
  seen_at timestamptz not null default now()
);

-- The worker that may use a session's browser.
create table leases (
  session_id text primary key references sessions on delete cascade,
  host_id text not null,
  worker_id text not null,
  epoch int not null,
  target_id text,
  acquired_at timestamptz not null default now()
);

-- The newest request of each session for a browser; `taken` once a host has begun to answer it.
create table browser_requests (
  session_id text primary key references sessions on delete cascade,
  request_id text not null,
  priority int not null default 3,
  since timestamptz not null default now(),
  taken boolean not null default false
);
create index browser_requests_waiting on browser_requests (priority, since) where not taken;

-- What another Chrome needs to stand in for one that is gone. Text, because jsonb refuses the \u0000 a page may store.
create table checkpoints (
  session_id text primary key references sessions on delete cascade,
  browser_id text not null,
  epoch int not null,
  checkpoint text not null,
  at timestamptz not null default now()
);
