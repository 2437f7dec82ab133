-- The value is in a secret manager, where browser workers read it.
alter table secrets add column reference text;
