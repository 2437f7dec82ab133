-- Locks the session's row and checks what the writer believes. SF404: unknown.
create or replace function guarded_session(p_session text, p_guard jsonb) returns sessions language plpgsql as $$
declare s sessions;
begin
  select * into s from sessions where session_id = p_session for update;
  if not found then raise exception 'There is no session %.', p_session using errcode = 'SF404'; end if;
  perform check_guard(s, p_guard);
  return s;
end $$;
