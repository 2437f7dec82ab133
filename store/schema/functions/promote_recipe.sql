-- Makes a version of a recipe the one that is used. False where there is no such version.
create or replace function promote_recipe(p_recipe text, p_version int) returns boolean language plpgsql as $$
begin
  update recipes set promoted = p_version, failed_in_a_row = 0, at = clock_timestamp()
  where recipe_id = p_recipe
    and exists (select from recipe_versions where recipe_id = p_recipe and version = p_version);
  if not found then return false; end if;
  update recipe_versions set status = case when version = p_version then 'promoted' else 'retired' end
  where recipe_id = p_recipe and (version = p_version or status = 'promoted');
  return true;
end $$;
