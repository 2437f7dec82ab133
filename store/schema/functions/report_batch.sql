-- Enters that a batch has ended with failed rows, for each address that gets a mail of it. A retry raises the revision, so each
-- end has deliveries of its own.
create or replace function report_batch() returns trigger language plpgsql as $$
begin
  if exists (select from batch_rows where batch_id = new.batch_id and state in ('failed', 'invalid')) then
    insert into webhook_deliveries (delivery_id, batch_id, recipient)
    select 'batch:' || new.batch_id || '-' || new.revision || '-mail-' || n, new.batch_id, address
    from jsonb_array_elements_text(new.report->'mail') with ordinality as mails(address, n)
    on conflict do nothing;
  end if;
  return null;
end $$;
