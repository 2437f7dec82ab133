-- Enters what a call came to and moves the breaker of its model.
create or replace function settle_model_call(p jsonb) returns jsonb language plpgsql as $$
declare
  v_key text := p->>'keyHash';
  v_now timestamptz := clock_timestamp();
  v_open interval := (p->'breaker'->>'openMs')::int * interval '1 millisecond';
  v_window interval := (p->'breaker'->>'windowMs')::int * interval '1 millisecond';
  v_limit int := (p->'breaker'->>'failures')::int;
begin
  update model_calls set outcome = p->>'outcome', input_tokens = (p->>'inputTokens')::int,
    output_tokens = (p->>'outputTokens')::int, cached_tokens = (p->>'cachedTokens')::int,
    is_estimated = (p->>'isEstimated')::boolean, cost = (p->>'cost')::numeric, price_table = p->>'priceTable',
    duration_ms = (p->>'durationMs')::int, reserved_tokens = 0, reserved_cost = 0
  where session_id = p->>'sessionId' and call_id = p->>'callId';
  if v_key is not null then
    update model_admissions set tokens = (p->>'inputTokens')::int + (p->>'outputTokens')::int
    where key_hash = v_key and call_id = p->>'callId';
    if p->>'verdict' = 'outage' and v_limit > 0 then
      insert into model_breakers as b (key_hash, model, failures, since, open_until)
      values (v_key, p->>'model', 1, v_now, case when v_limit <= 1 then v_now + v_open end)
      on conflict (key_hash, model) do update set
        failures = case when b.open_until is null and b.since < v_now - v_window then 1 else b.failures + 1 end,
        since = case when b.open_until is null and b.since < v_now - v_window then v_now else b.since end,
        open_until = case
          when b.open_until is not null then greatest(b.open_until, v_now + v_open)
          when b.since >= v_now - v_window and b.failures + 1 >= v_limit or v_limit <= 1 then v_now + v_open end,
        probe_call = null, probe_until = null;
    elsif p->>'verdict' = 'answered' then
      delete from model_breakers where key_hash = v_key and model = p->>'model';
    else
      update model_breakers set probe_call = null, probe_until = null
      where key_hash = v_key and probe_call = p->>'callId';
    end if;
  end if;
  return session_usage(p->>'sessionId')
    || jsonb_build_object('budget', (select budget from sessions where session_id = p->>'sessionId'));
end $$;
