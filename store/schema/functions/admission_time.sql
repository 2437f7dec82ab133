-- When a call of so many tokens fits: no minute may hold more than the limits allow; 0 is no limit. A call that is larger
-- than a whole minute allows gets a minute of its own. With p_is_new it goes behind all that have a place already.
create or replace function admission_time(p_key text, p_tokens int, p_limits jsonb, p_now timestamptz, p_is_new boolean)
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
$$;
