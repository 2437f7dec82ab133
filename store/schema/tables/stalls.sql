-- When the only thread of a process was kept by one piece of work, written by another thread of it.
create table stalls (
  stall_id uuid primary key,
  session_id text references sessions on delete cascade,
  -- The activity, or the request.
  name text not null,
  -- The same for each attempt of an activity.
  work_key text,
  -- False where this work was one of several that may have been it.
  is_certain boolean not null,
  process text not null,
  host_id text not null,
  stack text not null,
  began_at timestamptz not null default clock_timestamp(),
  -- Null where the process ended before it went on.
  ended_at timestamptz
);
create index stalls_by_work on stalls (work_key) where ended_at is null;
create index stalls_by_session on stalls (session_id);
