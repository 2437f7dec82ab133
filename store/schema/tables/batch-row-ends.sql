-- The order in which rows of batches have ended, in which they are followed.
create sequence batch_row_ends;
alter table batch_rows add column position bigint;
update batch_rows r set position = e.position from (
  select batch_id, row, nextval('batch_row_ends') as position from (
    select batch_id, row from batch_rows where ended_at is not null order by ended_at) as ended) as e
where r.batch_id = e.batch_id and r.row = e.row;
create index batch_rows_ended on batch_rows (batch_id, position) where ended_at is not null;
