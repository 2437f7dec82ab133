-- Locks the session's row and checks what the writer believes: its run (SF002) and its lease epoch (SF003). SF404: unknown.
create or replace function guarded_session(p_session text, p_guard jsonb) returns sessions language plpgsql as $$
declare s sessions;
begin
  select * into s from sessions where session_id = p_session for update;
  if not found then raise exception 'There is no session %.', p_session using errcode = 'SF404'; end if;
  if p_guard ? 'runId' and s.run_id is distinct from p_guard->>'runId' then
    raise exception 'Session % belongs to another Temporal run now.', p_session using errcode = 'SF002';
  end if;
  if p_guard ? 'epoch' and s.epoch <> (p_guard->>'epoch')::int then
    raise exception 'Session % has a newer browser lease (epoch %, this one is %).', p_session, s.epoch, p_guard->>'epoch' using errcode = 'SF003';
  end if;
  return s;
end $$;
