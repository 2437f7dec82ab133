-- Writes the outcome of a command, with its records and the variable it saved. The first outcome counts: a command that was
-- cancelled has its end, whatever its worker reports later. SF006: the database has forgotten that the command began.
create or replace function journal_finish(p_session text, p_guard jsonb, p_outcome jsonb, p_records jsonb, p_variable jsonb) returns bigint language plpgsql as $$
declare previous text; records jsonb := p_records;
begin
  perform guarded_session(p_session, p_guard);
  if exists (select from commands where session_id = p_session and command_id = p_outcome->>'commandId' and status <> 'intended') then
    return null;
  end if;
  if not exists (select from commands where session_id = p_session and command_id = p_outcome->>'commandId') then
    raise exception 'The database was put back to an earlier time: it has forgotten command % of session %.', p_outcome->>'commandId', p_session using errcode = 'SF006';
  end if;
  update commands set
    status = p_outcome->>'status', response = p_outcome->'response', error = p_outcome->'error',
    evidence = p_outcome->'evidence', dom_id = p_outcome->>'domId', finished_at = clock_timestamp()
  where session_id = p_session and command_id = p_outcome->>'commandId';
  if p_variable is not null then
    insert into variables (session_id, name, value, source, step_index)
    values (p_session, p_variable->>'name', p_variable->>'value', p_variable->>'source', (p_variable->>'stepIndex')::int)
    on conflict (session_id, name) do update
      set previous_value = variables.value, value = excluded.value, env = null, source = excluded.source,
          step_index = excluded.step_index, at = clock_timestamp()
    returning previous_value into previous;
  end if;
  -- Only the database knows what the variable held before.
  if previous is not null then
    select jsonb_agg(case when v->>'type' = 'VARIABLE_UPDATED'
        then jsonb_set(v, '{data,variable,previousValue}', to_jsonb(previous)) else v end order by n) into records
    from jsonb_array_elements(p_records) with ordinality as r(v, n);
  end if;
  return append_events(p_session, '{}', records, '{}');
end $$;
