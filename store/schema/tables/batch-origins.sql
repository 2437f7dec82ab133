-- How many rows of the tenant may be open at one origin while this batch starts another there; null: as many as there are.
alter table batches add column origin_concurrency int;
-- Origins at which no further row could be started; '' stands for rows whose origin is not known.
alter table batches add column held_origins text[] not null default '{}';
-- Of the first address in the steps of the row.
alter table batch_rows add column origin text;
create index batch_rows_open_at on batch_rows (origin) where state = 'running';
