-- Counts what became of a recipe in a step, once. A recipe that fails too often in a row is retired.
create or replace function note_recipe_use(
  p_session text, p_step int, p_recipe text, p_version int, p_outcome text, p_most_failures int
) returns void language plpgsql as $$
begin
  insert into recipe_uses (session_id, step_index, recipe_id, version, outcome)
  values (p_session, p_step, p_recipe, p_version, p_outcome) on conflict do nothing;
  if not found then return; end if;
  update recipes set
    used = used + 1,
    healed = healed + (p_outcome = 'healed')::int,
    failed = failed + (p_outcome = 'failed')::int,
    failed_in_a_row = case when p_outcome = 'failed' then failed_in_a_row + 1 else 0 end
  -- What is said of an older version says nothing of this one.
  where recipe_id = p_recipe and promoted = p_version;
  update recipe_versions set status = 'retired'
  from recipes r
  where r.recipe_id = p_recipe and r.failed_in_a_row >= p_most_failures
    and recipe_versions.recipe_id = p_recipe and recipe_versions.version = r.promoted;
  update recipes set promoted = null where recipe_id = p_recipe and failed_in_a_row >= p_most_failures;
end $$;
