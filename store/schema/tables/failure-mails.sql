-- A report by mail that a session has failed, delivered as those to webhooks are: one for each address. Null for a webhook.
alter table webhook_deliveries add column recipient text;
