-- Reports of the ends of sessions to the addresses that their requests name.
create table webhook_deliveries (
  session_id text primary key references sessions on delete cascade,
  status text not null default 'pending',
  attempts int not null default 1,
  -- Why the newest attempt has failed.
  warning text,
  at timestamptz not null default clock_timestamp()
);
