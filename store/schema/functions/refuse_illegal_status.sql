-- Refuses every change of status that status_changes does not list (SF005).
create or replace function refuse_illegal_status() returns trigger language plpgsql as $$
begin
  if not exists (select 1 from status_changes c where c.old_status = old.status and c.new_status = new.status) then
    raise exception 'Session % is % and can not become %.', old.session_id, old.status, new.status using errcode = 'SF005';
  end if;
  return new;
end $$;
