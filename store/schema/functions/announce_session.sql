-- Notifies whoever follows sessions that this one was written or removed.
create or replace function announce_session() returns trigger language plpgsql as $$
begin
  perform pg_notify('surefoot_sessions', coalesce(new.session_id, old.session_id));
  return null;
end $$;
