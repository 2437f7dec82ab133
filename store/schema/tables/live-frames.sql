-- cspell:ignore unlogged
-- What somebody who looks at the page of a session is shown: its newest picture, while it is wanted. Nothing here is needed
-- after a crash, so it is not logged. number: of the frame; seen_at: when a worker last found the page so.
create unlogged table live_frames (
  session_id text primary key references sessions on delete cascade,
  wanted_at timestamptz not null default clock_timestamp(),
  number bigint,
  image bytea,
  facts jsonb,
  seen_at timestamptz
);
