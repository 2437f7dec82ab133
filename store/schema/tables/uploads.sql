-- Files that callers gave to be uploaded to sites; their bytes lie in the artifact folder. key_hash: of the Idempotency-Key.
create table uploads (
  file_id text primary key,
  key_hash text unique,
  name text not null,
  media_type text not null,
  path text not null,
  bytes int not null,
  sha256 text not null,
  at timestamptz not null default clock_timestamp()
);
create index uploads_by_age on uploads (at);
