-- Reports to the webhook of a session: each question to a person, its end, and the end of the session. A row is entered in
-- the transaction in which that happens (triggers.sql), and delivered by a workflow of its own.
create table webhook_deliveries (
  -- The `webhook-id` that its receiver gets.
  delivery_id text primary key,
  session_id text not null references sessions on delete cascade,
  -- What a person is asked; null for the end of the session.
  question jsonb,
  -- How the question has ended; null where it was asked.
  ending jsonb,
  -- The delivery of the question that this is the end of: it goes first.
  closes text references webhook_deliveries on delete cascade,
  happened_at timestamptz not null default clock_timestamp(),
  -- Its workflow was started.
  is_started boolean not null default false,
  status text not null default 'pending',
  attempts int not null default 0,
  -- Why the newest attempt has failed.
  warning text,
  at timestamptz not null default clock_timestamp()
);
create index webhook_deliveries_of_session on webhook_deliveries (session_id, happened_at);
create index webhook_deliveries_to_start on webhook_deliveries (happened_at) where not is_started;
