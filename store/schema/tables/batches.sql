-- Batches: a session for each row of a list. Rows and what came of them are here, so that the workflow carries neither.
create table batches (
  batch_id text primary key,
  tenant text not null,
  -- What each row starts, and by what a repeated request is known.
  request jsonb not null,
  request_hash text not null,
  -- Names of the variables of its rows, in order.
  columns jsonb not null,
  concurrency int not null,
  state text not null default 'running',
  -- Why it is paused, where nobody has asked for that.
  note text,
  -- Grows with each change that its workflow is to notice, and the one that it has noticed.
  revision int not null default 1,
  noticed int not null default 0,
  -- A worker has just sent its workflow a signal.
  signalled_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  ended_at timestamptz,
  -- Its rows were removed.
  expired_at timestamptz
);
create index batches_newest on batches (created_at desc);
create index batches_changed on batches (batch_id) where revision > noticed;

create table batch_rows (
  batch_id text not null references batches on delete cascade,
  row int not null,
  variables jsonb not null,
  state text not null default 'waiting',
  attempt int not null default 1,
  -- The page of rows with which its workflow took it.
  page text,
  -- Of the newest attempt.
  workflow_id text,
  session_id text,
  reason text,
  -- JSON as text: it may hold what jsonb refuses.
  result text,
  ended_at timestamptz,
  -- Its end was not noticed by the workflow yet.
  is_news boolean not null default false,
  primary key (batch_id, row)
);
create index batch_rows_by_state on batch_rows (batch_id, state, row);
create index batch_rows_of_session on batch_rows (session_id) where session_id is not null;
create index batch_rows_news on batch_rows (batch_id) where is_news;
