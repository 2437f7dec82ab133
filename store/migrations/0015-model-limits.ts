import { sql, type Kysely } from 'kysely';

/**
 * Whether a model may be called now, decided in one statement for all workers: the session's budget, the breaker of the
 * model, the rate limit of the key. Locks are always taken in that order, the session's row before the key's.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  `alter table sessions add column budget jsonb`,

  // What a call may still come to while it is under way, beside what is counted for it already.
  `alter table model_calls add column asked_by text, add column attempt int, add column reserved_tokens int not null default 0,
    add column reserved_cost numeric not null default 0`,

  `create table model_keys (key_hash text primary key)`,

  // The calls of the last minute, and those that have a place in the minutes to come (call_id is null).
  `create table model_admissions (
    admission_id bigint generated always as identity primary key,
    key_hash text not null,
    session_id text not null references sessions on delete cascade,
    call_id text,
    at timestamptz not null,
    tokens int not null
  )`,
  `create index model_admissions_by_time on model_admissions (key_hash, at desc, admission_id desc)`,

  `create table model_breakers (
    key_hash text not null,
    model text not null,
    failures int not null,
    since timestamptz not null,
    open_until timestamptz,
    probe_call text,
    probe_until timestamptz,
    primary key (key_hash, model)
  )`,

  `create function session_use(p_session text) returns jsonb language sql stable as $$
    select jsonb_build_object(
      'tokens', coalesce(sum(input_tokens + output_tokens), 0),
      'cost', trim_scale(coalesce(sum(cost), 0))::text,
      'pendingTokens', coalesce(sum(reserved_tokens), 0),
      'pendingCost', trim_scale(coalesce(sum(reserved_cost), 0))::text)
    from model_calls where session_id = p_session
  $$`,

  // No minute may hold more than the limits allow; 0 is no limit. One that is larger than a whole minute allows gets a
  // minute of its own. With p_is_new it goes behind all that have a place already.
  `create function admission_time(p_key text, p_tokens int, p_limits jsonb, p_now timestamptz, p_is_new boolean)
  returns timestamptz language sql stable as $$
    select greatest(p_now,
      (select a.at + interval '1 minute' from model_admissions a
        where a.key_hash = p_key and (p_is_new or a.call_id is not null) and (p_limits->>'requestsPerMinute')::int > 0
        order by a.at desc, a.admission_id desc
        offset greatest((p_limits->>'requestsPerMinute')::int, 1) - 1 limit 1),
      (select max(w.at) + interval '1 minute' from (
        select a.at, sum(a.tokens) over (order by a.at desc, a.admission_id desc rows unbounded preceding) as so_far
        from model_admissions a where a.key_hash = p_key and (p_is_new or a.call_id is not null)) as w
        where (p_limits->>'tokensPerMinute')::int > 0 and w.so_far + p_tokens > (p_limits->>'tokensPerMinute')::int),
      (select max(a.at) from model_admissions a where p_is_new and a.key_hash = p_key and a.call_id is null))
  $$`,

  `create function admit_model_call(p jsonb) returns jsonb language plpgsql as $$
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
        or (asked_by = p->>'askedBy' and attempt < (p->>'attempt')::int));
    select budget into v_budget from sessions where session_id = v_session;
    if v_budget ?| array['maxTokens', 'maxCost'] then
      -- One at a time, so that two that ask together do not both find the last of it.
      select budget into v_budget from sessions where session_id = v_session for no key update;
      v_use := session_use(v_session);
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
      cached_tokens, is_estimated, cost, price_table, duration_ms, asked_by, attempt, reserved_tokens, reserved_cost)
    values (v_session, p->>'callId', (p->>'stepIndex')::int, (p->>'turn')::int, p->>'model', 'lost',
      (p->>'inputTokens')::int, 0, 0, true, (p->>'cost')::numeric, p->>'priceTable', 0, p->>'askedBy',
      (p->>'attempt')::int, (p->>'reservedTokens')::int, coalesce((p->>'reservedCost')::numeric, 0))
    on conflict do nothing;
    return jsonb_build_object('kind', 'admitted');
  end $$`,

  `create function settle_model_call(p jsonb) returns jsonb language plpgsql as $$
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
    return session_use(p->>'sessionId')
      || jsonb_build_object('budget', (select budget from sessions where session_id = p->>'sessionId'));
  end $$`,
];
