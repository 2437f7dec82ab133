-- Numbers the ends of rows. Those of one batch are numbered under its lock, which their transaction keeps: a number that becomes
-- visible is larger than all that were, so whoever follows the batch by it misses none.
create or replace function number_batch_row_end() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' or old.ended_at is null then
    perform from batches where batch_id = new.batch_id for no key update;
    new.position := nextval('batch_row_ends');
  end if;
  return new;
end $$;
