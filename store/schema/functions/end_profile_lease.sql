-- Ends the lease of a session on its profile. Where it has completed, its newest checkpoint becomes the newest version: one that
-- failed or was cancelled may have been signed out. A copy, and a state that no browser had yet, are not written.
create or replace function end_profile_lease() returns trigger language plpgsql as $$
declare lease profile_leases;
begin
  delete from profile_leases where session_id = new.session_id returning * into lease;
  if not found or lease.is_copy or new.status <> 'COMPLETED' then return null; end if;
  insert into profile_versions (tenant, name, version, state, session_id)
  select lease.tenant, lease.name, next_profile_version(lease.tenant, lease.name), checkpoint, session_id
  from checkpoints where session_id = new.session_id and epoch > 0;
  return null;
end $$;
