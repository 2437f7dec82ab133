-- The frames of sessions that are recorded, until the session ends and one artifact is made of them. image: a key frame of VP8.
create table recorded_frames (
  session_id text not null references sessions on delete cascade,
  number bigint generated always as identity,
  at timestamptz not null,
  image bytea not null,
  primary key (session_id, number)
);
-- A picture is compressed already.
alter table recorded_frames alter column image set storage external;
