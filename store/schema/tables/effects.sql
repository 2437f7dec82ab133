-- What is to happen once: which session has begun it under a key, at an origin, for a tenant. A row outlives its session.
create table effects (
  effect_id bigint generated always as identity primary key,
  tenant text not null,
  origin text not null,
  key text not null,
  session_id text not null,
  -- Null where the key covers all steps of the session.
  step_index int,
  -- open: its step is under way. unknown: that has failed after something was sent. released: the key is free again.
  state text not null default 'open' check (state in ('open', 'done', 'unknown', 'released')),
  -- What people call the session.
  title text not null,
  -- Of each commit: when, where, and the requests that may have changed something.
  evidence jsonb not null default '[]',
  -- Why it is settled as it is, and the person who has said so.
  reason text,
  settled_by text,
  claimed_at timestamptz not null default clock_timestamp(),
  settled_at timestamptz
);
create unique index effects_held on effects (tenant, origin, key) where state <> 'released';
create index effects_open on effects (session_id) where state = 'open';
create index effects_newest on effects (tenant, claimed_at desc);
