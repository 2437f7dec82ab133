-- Enters a key for the session, or returns what holds it: a row of another session or step, unless it is older than `withinMs`.
-- `witnessed` are sessions of this host that have begun it: one whose row is missing was forgotten, when the database was put
-- back to an earlier time, and may have done it.
create or replace function claim_effect(s sessions, p_once jsonb) returns effects language plpgsql as $$
declare
  held effects;
  of_tenant text := coalesce(s.plan->>'tenant', 'default');
  step int := (p_once->>'stepIndex')::int;
begin
  insert into effects (tenant, origin, key, session_id, step_index, title, state, claimed_at, settled_at)
  select of_tenant, p_once->>'origin', p_once->>'key', w->>'sessionId', (w->>'stepIndex')::int, coalesce(o.title, ''), 'unknown',
    (w->>'at')::timestamptz, clock_timestamp()
  from jsonb_array_elements(coalesce(p_once->'witnessed', '[]')) as w
  left join sessions o on o.session_id = w->>'sessionId'
  where (o.session_id is null or coalesce(o.plan->>'tenant', 'default') = of_tenant) and not exists (
    select from effects e where e.session_id = w->>'sessionId' and e.origin = p_once->>'origin' and e.key = p_once->>'key')
  on conflict (tenant, origin, key) where state <> 'released' do nothing;
  loop
    insert into effects (tenant, origin, key, session_id, step_index, title)
    values (of_tenant, p_once->>'origin', p_once->>'key', s.session_id, step, s.title)
    on conflict (tenant, origin, key) where state <> 'released' do nothing;
    if found then return null; end if;
    select * into held from effects
    where tenant = of_tenant and origin = p_once->>'origin' and key = p_once->>'key' and state <> 'released' for update;
    continue when not found;
    if held.session_id = s.session_id and held.step_index is not distinct from step then
      update effects set state = 'open', settled_at = null where effect_id = held.effect_id and state = 'unknown';
      return null;
    end if;
    exit when held.state <> 'done'
      or held.settled_at > clock_timestamp() - (p_once->>'withinMs')::float8 * interval '1 millisecond';
    update effects set state = 'released', reason = 'It was longer ago than the next one asked for.'
    where effect_id = held.effect_id;
  end loop;
  return held;
end $$;
