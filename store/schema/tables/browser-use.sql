-- Browsers of all hosts, and sessions that waited for one: a row a minute, because leases say only what is now.
create table browser_use (
  minute timestamptz primary key,
  browsers int not null,
  waiting int not null
);
