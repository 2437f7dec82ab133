-- What an operator looks at is read by time.
create index model_calls_by_time on model_calls (at);
create index sessions_not_expired on sessions (last_activity) where closed and expired_at is null;
create index webhook_deliveries_failed on webhook_deliveries (at) where status = 'failed';
