-- Says what became of the keys of a step that has ended, or of the whole session where `p_step` is null: done with it; unknown
-- where it has failed and a commit may have had its effect; or free again. By 502 and 504 a proxy, also our own, says that it
-- got no answer: the server behind it may have carried the request out.
create or replace function settle_effects(p_session text, p_step int, p_done boolean) returns void language plpgsql as $$
begin
  with covered as (
    select e.effect_id,
      coalesce(jsonb_agg(jsonb_build_object('action', c.action, 'target', c.target->>'name', 'status', c.status,
        'at', c.intended_at, 'url', c.page_url, 'requests', coalesce(r.changing, '[]')) order by c.intended_at)
        filter (where c.command_id is not null), '[]') as evidence,
      coalesce(bool_or(case when c.resolution is not null then (c.resolution->>'happened')::boolean
        when c.status in ('intended', 'unknown') then true else r.was_taken end), false) as may_have_happened
    from effects e
    left join commands c on c.session_id = e.session_id and c.effect = 'commit'
      and (e.step_index is null or c.step_index = e.step_index)
    left join lateral (
      select jsonb_agg(q - 'isPing') as changing, bool_or(coalesce((q->>'status')::int, 0) < 400 or (q->>'status')::int in (502, 504)) as was_taken
      from jsonb_array_elements(coalesce(c.evidence->'requests', '[]')) as q
      where q->>'method' not in ('GET', 'HEAD', 'OPTIONS') and q->'isPing' is null
    ) r on true
    where e.session_id = p_session and e.state = 'open' and (p_step is null or e.step_index = p_step)
    group by e.effect_id
  )
  update effects e set
    evidence = covered.evidence,
    settled_at = clock_timestamp(),
    state = case when p_done then 'done' when may_have_happened then 'unknown' else 'released' end,
    reason = case when p_done or may_have_happened then null else 'Its step failed, and nothing was sent that a server has taken.' end
  from covered where covered.effect_id = e.effect_id;
end $$;

create or replace function settle_effects_of_step() returns trigger language plpgsql as $$
begin
  perform settle_effects(new.session_id, new.step_index, new.type = 'STEP_COMPLETED');
  return null;
end $$;

create or replace function settle_effects_of_session() returns trigger language plpgsql as $$
begin
  perform settle_effects(new.session_id, null, new.status = 'COMPLETED');
  return null;
end $$;
