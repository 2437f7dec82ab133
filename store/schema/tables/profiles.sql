-- Signed-in states that outlive sessions. The state is a checkpoint, sealed for its profile.
create table profile_versions (
  tenant text not null,
  name text not null,
  version int not null,
  state text not null,
  -- The session that has written it; null for one that was imported or restored. It may be gone.
  session_id text,
  saved_at timestamptz not null default clock_timestamp(),
  primary key (tenant, name, version)
);

-- The profile that each open session began with. One session at a time has it; all others have copies.
create table profile_leases (
  session_id text primary key references sessions on delete cascade,
  tenant text not null,
  name text not null,
  -- Of the state that the session began with; 0 where there was none.
  version int not null,
  is_copy boolean not null,
  at timestamptz not null default clock_timestamp()
);
create unique index profile_leases_held on profile_leases (tenant, name) where not is_copy;

-- What the checkpoints of a session with a profile are sealed for, so that they can become a version of it as they are.
alter table sessions add column profile_key text generated always as (
  coalesce(plan->>'tenant', 'default') || '/' || (plan->'profile'->>'name')) stored;
create index sessions_by_profile on sessions (profile_key) where profile_key is not null;
