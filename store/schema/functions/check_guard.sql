-- Checks what a writer believes of a session: its run (SF002) and its lease epoch (SF003). SF006: the writer knows of a run, a
-- lease, a record or a command that the database has forgotten, so it was put back to an earlier time.
create or replace function check_guard(s sessions, p_guard jsonb) returns void language plpgsql as $$
declare forgotten text;
begin
  if p_guard ? 'runId' and s.run_id is distinct from p_guard->>'runId' then
    if s.run_id is null or s.run_id = p_guard->>'continuedFrom' then
      forgotten := 'run ' || (p_guard->>'runId');
    else
      raise exception 'Session % belongs to another Temporal run now.', s.session_id using errcode = 'SF002';
    end if;
  end if;
  if (p_guard->>'epoch')::int > s.epoch then forgotten := 'lease ' || (p_guard->>'epoch'); end if;
  if forgotten is null and p_guard ? 'epoch' and s.epoch <> (p_guard->>'epoch')::int then
    raise exception 'Session % has a newer browser lease (epoch %, this one is %).', s.session_id, s.epoch, p_guard->>'epoch' using errcode = 'SF003';
  end if;
  if p_guard ? 'noted' and not exists (select from commands where session_id = s.session_id and command_id = p_guard->>'noted') then
    forgotten := 'command ' || (p_guard->>'noted');
  end if;
  if p_guard ? 'commandId' and not exists (select from commands where session_id = s.session_id and command_id = p_guard->>'commandId') then
    forgotten := 'command ' || (p_guard->>'commandId');
  end if;
  -- The log of a session that has ended may be trimmed.
  if p_guard ? 'recordId' and not s.closed
    and not exists (select from events where session_id = s.session_id and event_id = p_guard->>'recordId') then
    forgotten := 'record ' || (p_guard->>'recordId');
  end if;
  if forgotten is not null then
    raise exception 'The database was put back to an earlier time: it has forgotten % of session %.', forgotten, s.session_id using errcode = 'SF006';
  end if;
end $$;
