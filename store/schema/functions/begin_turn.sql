-- Notes that a turn began, with its record: p_first for the first attempt, p_again for a later one. False: the turn has its reply.
create or replace function begin_turn(p_session text, p_guard jsonb, p_step int, p_turn int, p_first jsonb, p_again jsonb) returns boolean language plpgsql as $$
declare added int;
begin
  perform guarded_session(p_session, p_guard);
  if exists (select 1 from messages where session_id = p_session and step_index = p_step and turn = p_turn and kind = 'reply') then
    return false;
  end if;
  insert into messages (session_id, step_index, turn, position, kind, body)
    values (p_session, p_step, p_turn, -1, 'begun', '{}') on conflict do nothing;
  get diagnostics added = row_count;
  perform append_events(p_session, p_guard, case when added = 1 then p_first else p_again end, '{}');
  return true;
end $$;
