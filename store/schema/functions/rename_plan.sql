-- A changed plan gets another version, whoever changes it.
create or replace function rename_plan() returns trigger language plpgsql as $$
begin
  new.plan_version := gen_random_uuid();
  return new;
end $$;
