-- Which open session has an exclusive secret. What it is known by is a name of a place, or a keyed digest of the value.
create table secret_leases (
  tenant text not null,
  credential text not null,
  session_id text not null references sessions on delete cascade,
  primary key (tenant, credential)
);
create index on secret_leases (session_id);
