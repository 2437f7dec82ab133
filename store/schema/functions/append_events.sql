-- Appends records and patches the session's row in one transaction. Numbers are given under the row's lock, so they have
-- no gaps and commit order is reading order; known event ids are dropped. SF001: the session has ended. A patch with an older
-- number than one that this run has laid over the row changes nothing. Returns the last number of the session.
create or replace function append_events(p_session text, p_guard jsonb, p_records jsonb, p_patch jsonb) returns bigint language plpgsql as $$
declare s sessions; added int; patch jsonb := p_patch;
begin
  s := guarded_session(p_session, p_guard);
  with fresh as (
    select r.value as v, row_number() over (order by r.ordinality) as n
    from jsonb_array_elements(p_records) with ordinality as r(value, ordinality)
    where not exists (select 1 from events e where e.session_id = p_session and e.event_id = r.value->>'eventId')
  )
  insert into events (session_id, seq, event_id, owner, type, at, attempt, step_index, turn, data, facts)
  select p_session, s.next_seq + n - 1, v->>'eventId', v->>'owner', v->>'type', (v->>'at')::timestamptz,
    (v->>'attempt')::int, (v->>'stepIndex')::int, (v->>'turn')::int, v->'data', v->'facts'
  from fresh;
  get diagnostics added = row_count;
  if s.closed then
    if added > 0 then raise exception 'Session % has ended; its log takes no more events.', p_session using errcode = 'SF001'; end if;
    return s.next_seq - 1;
  end if;
  if s.patch_run = p_guard->>'runId' and s.patch_number > (patch->>'number')::bigint then patch := '{}'; end if;
  update sessions set
    next_seq = s.next_seq + added,
    history_length = coalesce((p_guard->>'historyLength')::int, history_length),
    last_activity = clock_timestamp(),
    status = coalesce(patch->>'status', status),
    paused = coalesce((patch->>'paused')::boolean, paused),
    closed = coalesce((patch->>'closed')::boolean, closed),
    current_step = greatest(current_step, (patch->>'currentStep')::int),
    error = coalesce(patch->'error', error),
    waiting_for = case when patch ? 'waitingFor' then nullif(patch->'waitingFor', 'null') else waiting_for end,
    page_wait = case when patch ? 'pageWait' then nullif(patch->'pageWait', 'null') else page_wait end,
    budget = coalesce(patch->'budget', budget),
    patch_run = case when patch ? 'number' then p_guard->>'runId' else patch_run end,
    patch_number = coalesce((patch->>'number')::bigint, patch_number)
  where session_id = p_session;
  return s.next_seq + added - 1;
end $$;
