-- The number of the version that is written next; drops the oldest ones, so that with it ten are kept.
create or replace function next_profile_version(p_tenant text, p_name text) returns int language plpgsql as $$
declare newest int;
begin
  select coalesce(max(version), 0) into newest from profile_versions where tenant = p_tenant and name = p_name;
  delete from profile_versions where tenant = p_tenant and name = p_name and version <= newest + 1 - 10;
  return newest + 1;
end $$;
