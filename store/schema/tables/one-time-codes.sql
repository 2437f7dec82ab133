-- The value is the seed of one-time codes.
alter table secrets add column is_seed boolean not null default false;

-- The periods whose code was typed, once whoever has the seed: sites take a code once. A seed is a keyed digest here, and no
-- code is stored.
create table typed_codes (
  seed text not null,
  step bigint not null,
  session_id text not null references sessions on delete cascade,
  alias text not null,
  primary key (seed, step)
);
create index on typed_codes (session_id, alias, step);
