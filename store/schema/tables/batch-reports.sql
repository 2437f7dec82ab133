-- Who gets a mail when the batch has ended with failed rows. Its deliveries are entered by a trigger, as those of sessions are.
alter table batches add column report jsonb;
alter table webhook_deliveries alter column session_id drop not null;
alter table webhook_deliveries add column batch_id text references batches on delete cascade;
alter table webhook_deliveries add check ((session_id is null) <> (batch_id is null));
create index webhook_deliveries_of_batch on webhook_deliveries (batch_id) where batch_id is not null;
