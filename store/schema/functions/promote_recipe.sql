-- Makes a version of a recipe the one that is used, and notes who said so. False where there is no such version.
create or replace function promote_recipe(p_recipe text, p_version int, p_promoter jsonb)
returns boolean language plpgsql as $$
declare
  v_replaced int;
begin
  select promoted into v_replaced from recipes where recipe_id = p_recipe for update;
  if not exists (select from recipe_versions where recipe_id = p_recipe and version = p_version) then return false; end if;
  update recipes set promoted = p_version, failed_in_a_row = 0, at = clock_timestamp() where recipe_id = p_recipe;
  update recipe_versions set status = case when version = p_version then 'promoted' else 'retired' end
  where recipe_id = p_recipe and (version = p_version or status = 'promoted');
  update recipe_versions set promotions = promotions || jsonb_strip_nulls(p_promoter || jsonb_build_object(
    'at', clock_timestamp(), 'replaced', nullif(v_replaced, p_version)))
  where recipe_id = p_recipe and version = p_version;
  return true;
end $$;
