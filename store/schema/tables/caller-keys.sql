-- The key of an agent for the models of a vendor, in place of the workers' own: sealed, and gone when the session ends.
create table caller_keys (
  session_id text primary key references sessions on delete cascade,
  vendor text not null,
  sealed text not null
);
