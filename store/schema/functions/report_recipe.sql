-- Enters that a proposed version of a recipe waits for nobody any more: it was promoted, or forgotten.
create or replace function report_recipe() returns trigger language plpgsql as $$
begin
  perform report_answer(old.session_id, jsonb_build_object('recipeId', old.recipe_id, 'version', old.version),
    jsonb_build_object('how', case when tg_op = 'DELETE' then 'forgotten' else new.status end));
  return null;
end $$;
