-- Decides whether a model may be called now, for all workers at once: the session's budget, the breaker of the model, the
-- rate limit of the key. Locks are always taken in that order, the session's row before the key's.
create or replace function admit_model_call(p jsonb) returns jsonb language plpgsql as $$
declare
  v_session text := p->>'sessionId';
  v_key text := p->>'keyHash';
  v_tokens int := (p->>'tokens')::int;
  v_budget jsonb;
  v_use jsonb;
  v_now timestamptz;
  v_start timestamptz;
  v_place bigint;
  v_booked timestamptz;
  b model_breakers;
begin
  -- The attempts before this one are taken for dead: what they may still have come to is not waited for.
  update model_calls set reserved_tokens = 0, reserved_cost = 0
  where session_id = v_session and reserved_tokens > 0
    and (at < clock_timestamp() - interval '10 minutes'
      or (requested_by = p->>'requestedBy' and attempt < (p->>'attempt')::int));
  select budget into v_budget from sessions where session_id = v_session;
  if v_budget ?| array['maxTokens', 'maxCost'] then
    -- One at a time, so that two that ask together do not both find the last of it.
    select budget into v_budget from sessions where session_id = v_session for no key update;
    v_use := session_usage(v_session);
    -- Calls under way count with the most they may come to, so the limit is passed by one call at most.
    v_use := jsonb_build_object('kind', 'budget', 'budget', v_budget,
      'tokens', (v_use->>'tokens')::bigint + (v_use->>'pendingTokens')::bigint,
      'cost', trim_scale((v_use->>'cost')::numeric + (v_use->>'pendingCost')::numeric)::text);
    if (v_use->>'tokens')::bigint >= (v_budget->>'maxTokens')::bigint
      or (v_use->>'cost')::numeric >= (v_budget->>'maxCost')::numeric then
      return v_use;
    end if;
    if v_budget ? 'maxCost' and p->>'reservedCost' is null then return jsonb_build_object('kind', 'unpriced'); end if;
  end if;

  if v_key is not null then
    insert into model_keys values (v_key) on conflict do nothing;
    perform from model_keys where key_hash = v_key for update;
    v_now := clock_timestamp();
    select * into b from model_breakers where key_hash = v_key and model = p->>'model';
    if b.open_until > v_now then
      return jsonb_build_object('kind', 'open', 'waitMs', ceil(extract(epoch from b.open_until - v_now) * 1000), 'failures', b.failures);
    end if;
    if b.open_until is not null and b.probe_until > v_now then
      return jsonb_build_object('kind', 'open', 'waitMs', 2000, 'failures', b.failures);
    end if;

    delete from model_admissions a where a.key_hash = v_key and (a.at < v_now - interval '1 minute'
      or (a.call_id is null and exists (select from sessions s where s.session_id = a.session_id and s.closed)));
    select admission_id, at into v_place, v_booked from model_admissions
    where key_hash = v_key and session_id = v_session and call_id is null order by at limit 1;
    v_start := greatest(v_booked, admission_time(v_key, v_tokens, p->'limits', v_now, v_place is null));
    if v_start > v_now then
      if v_place is null then
        insert into model_admissions (key_hash, session_id, at, tokens) values (v_key, v_session, v_start, v_tokens);
      else
        update model_admissions set at = v_start, tokens = v_tokens where admission_id = v_place;
      end if;
      return jsonb_build_object('kind', 'held', 'waitMs', ceil(extract(epoch from v_start - v_now) * 1000));
    end if;
    delete from model_admissions where admission_id = v_place;
    insert into model_admissions (key_hash, session_id, call_id, at, tokens)
    values (v_key, v_session, p->>'callId', v_now, v_tokens);
    if b.open_until is not null then
      update model_breakers set probe_call = p->>'callId', probe_until = v_now + interval '1 minute'
      where key_hash = v_key and model = p->>'model';
    end if;
  end if;

  insert into model_calls (session_id, call_id, step_index, turn, model, outcome, input_tokens, output_tokens,
    cached_tokens, is_estimated, cost, price_table, duration_ms, requested_by, attempt, reserved_tokens, reserved_cost)
  values (v_session, p->>'callId', (p->>'stepIndex')::int, (p->>'turn')::int, p->>'model', 'lost',
    (p->>'inputTokens')::int, 0, 0, true, (p->>'cost')::numeric, p->>'priceTable', 0, p->>'requestedBy',
    (p->>'attempt')::int, (p->>'reservedTokens')::int, coalesce((p->>'reservedCost')::numeric, 0))
  on conflict do nothing;
  return jsonb_build_object('kind', 'admitted');
end $$;
