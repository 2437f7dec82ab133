-- Adds a version of a recipe, if the newest is still the one that it is to replace (0: there is none). Returns the number
-- of the new version; null where another session was first.
create or replace function propose_recipe(p jsonb, p_replaces int, p_promote boolean) returns int language plpgsql as $$
declare
  v_id text := p->>'recipeId';
  v_version int := p_replaces + 1;
begin
  if p_replaces = 0 then
    insert into recipes (recipe_id, tenant, instruction, is_task, page, variables, version)
    values (v_id, p->>'tenant', p->>'instruction', coalesce((p->>'task')::boolean, false), p->>'page', p->'variables', v_version) on conflict do nothing;
  else
    update recipes set version = v_version, at = clock_timestamp() where recipe_id = v_id and version = p_replaces;
  end if;
  if not found then return null; end if;
  insert into recipe_versions (recipe_id, version, status, rounds, digest, session_id, step_index)
  values (v_id, v_version, 'proposed', p->>'rounds', p->>'digest', p->>'sessionId', (p->>'stepIndex')::int);
  if p_promote then
    perform promote_recipe(v_id, v_version, jsonb_build_object('by', 'session', 'who', p->>'sessionId'));
  else
    perform report_question(p->>'sessionId', jsonb_build_object(
      'pausedFor', 'recipe', 'recipeId', v_id, 'version', v_version, 'instruction', p->>'instruction'));
  end if;
  return v_version;
end $$;
