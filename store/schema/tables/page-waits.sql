-- How far a session that waits on its page has come: when it looks again, and what it has seen.
alter table sessions add column page_wait jsonb;
