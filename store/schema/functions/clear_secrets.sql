-- Drops the sealed values of a session that has ended: nothing is typed for it any more, and no model asked. The next session gets
-- its exclusive secrets.
create or replace function clear_secrets() returns trigger language plpgsql as $$
begin
  update secrets set sealed = null where session_id = new.session_id and sealed is not null;
  update control_messages set input = (input::jsonb - 'sealed')::text
  where session_id = new.session_id and name = 'answerSecret';
  delete from secret_leases where session_id = new.session_id;
  delete from caller_keys where session_id = new.session_id;
  return null;
end $$;
