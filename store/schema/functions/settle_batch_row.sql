-- Enters what came of a row of a batch in the transaction that ends its session, whoever ends it: what it returned, or else the
-- variables that it has saved.
create or replace function settle_batch_row() returns trigger language plpgsql as $$
declare
  done_before text;
begin
  -- Few sessions are of a batch: the log of the others is not read.
  if not exists (select from batch_rows where session_id = new.session_id and state = 'running') then
    return null;
  end if;
  -- Before the row is locked, as the workflow of the batch locks them.
  perform from batches where batch_id = (select batch_id from batch_rows where session_id = new.session_id limit 1)
    for no key update;
  select string_agg(data->'warning'->>'message', ' ' order by seq) into done_before from events
    where session_id = new.session_id and type = 'WARNING_ISSUED'
      and data->'warning'->'details'->>'once' = 'already-done';
  update batch_rows set
    state = case when new.status = 'CANCELLED' then 'cancelled' when new.status <> 'COMPLETED' then 'failed'
      when done_before is not null then 'already-done' else 'completed' end,
    reason = case when new.status = 'COMPLETED' then done_before else new.error->>'message' end,
    result = coalesce(
      (select (result::json -> 'value')::text from results where session_id = new.session_id order by step_index desc limit 1),
      (select json_object_agg(name, value order by name)::text from variables
        where session_id = new.session_id and source <> 'user_input' and value is not null)),
    ended_at = clock_timestamp(),
    is_news = true
  where session_id = new.session_id and state = 'running';
  return null;
end $$;
