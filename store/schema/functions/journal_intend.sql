-- Writes the intent of a command with its records. SF001: the session has ended; SF004: it is paused. SF007: what
-- it is to do once is done, or under way: the detail has the row that holds the key. What a person does begins only while it
-- is paused, so that session and person never act at once, and only once: the act is removed with it.
create or replace function journal_intend(p_session text, p_guard jsonb, p_command jsonb, p_records jsonb) returns bigint language plpgsql as $$
declare s sessions; held effects;
begin
  s := guarded_session(p_session, p_guard);
  if s.closed then raise exception 'Session % has ended; no command starts any more.', p_session using errcode = 'SF001'; end if;
  if p_command->>'by' = 'person' then
    delete from takeover_acts where session_id = p_session and takeover_id = p_command->'act'->>'takeoverId'
      and number = (p_command->'act'->>'number')::int;
    if not s.paused or not found then
      raise exception 'Session % is not taken over any more, or another worker has begun this act.', p_session using errcode = 'SF004';
    end if;
  elsif s.paused then raise exception 'Session % is paused; no command starts until it is resumed.', p_session using errcode = 'SF004'; end if;
  if p_command ? 'once' then
    held := claim_effect(s, p_command->'once');
    if held.effect_id is not null then
      raise exception 'The key % is held by session %.', held.key, held.session_id using errcode = 'SF007', detail = to_jsonb(held)::text;
    end if;
  end if;
  insert into commands (session_id, command_id, step_index, turn, position, action, parameters, effect, target, page_url, epoch, status, by)
  values (p_session, p_command->>'commandId', (p_command->>'stepIndex')::int, (p_command->>'turn')::int,
    (p_command->>'position')::int, p_command->>'action', p_command->'parameters', p_command->>'effect',
    p_command->'target', p_command->>'pageUrl', s.epoch, 'intended', p_command->>'by')
  on conflict (session_id, command_id) do update
    set epoch = excluded.epoch, attempts = commands.attempts + 1, effect = excluded.effect, target = excluded.target,
        page_url = excluded.page_url, status = 'intended', intended_at = clock_timestamp();
  return append_events(p_session, '{}', p_records, '{}');
end $$;
