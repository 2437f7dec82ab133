-- Enters that a session has failed, for each address that gets a mail of it.
create or replace function report_failure() returns trigger language plpgsql as $$
begin
  insert into webhook_deliveries (delivery_id, session_id, recipient)
  select new.session_id || '-mail-' || n, new.session_id, address
  from jsonb_array_elements_text(new.plan->'config'->'report'->'mail') with ordinality as mails(address, n)
  on conflict do nothing;
  return null;
end $$;
