-- Corrects a record's time: the writer's is used where it fits between the record before and the database's now.
create or replace function events_in_time() returns trigger language plpgsql as $$
declare earliest timestamptz; latest timestamptz := clock_timestamp();
begin
  select at into earliest from events where session_id = new.session_id and seq = new.seq - 1;
  if not found then select created_at into earliest from sessions where session_id = new.session_id; end if;
  if new.at < earliest or new.at > latest then new.at := greatest(earliest, latest); end if;
  return new;
end $$;
