-- An illegal change of status is refused whoever asks: the trigger sees the row under its lock.
create or replace trigger sessions_status before update of status on sessions
  for each row when (old.status is distinct from new.status) execute function refuse_illegal_status();

create or replace trigger sessions_clear_secrets after update of closed on sessions
  for each row when (new.closed and not old.closed) execute function clear_secrets();

-- The state of the browser becomes a version of its profile in the transaction that ends the session.
create or replace trigger sessions_end_profile_lease after update of closed on sessions
  for each row when (new.closed and not old.closed and new.profile_key is not null) execute function end_profile_lease();

create or replace trigger events_in_time before insert on events
  for each row execute function events_in_time();

-- Keys of what is to happen once.
create or replace trigger events_settle_effects after insert on events
  for each row when (new.type in ('STEP_COMPLETED', 'STEP_FAILED')) execute function settle_effects_of_step();
create or replace trigger sessions_settle_effects after update of closed on sessions
  for each row when (new.closed and not old.closed) execute function settle_effects_of_session();

-- What came of a row of a batch.
create or replace trigger batch_rows_number_end before insert or update of ended_at on batch_rows
  for each row when (new.ended_at is not null) execute function number_batch_row_end();
create or replace trigger sessions_settle_batch_row after update of closed on sessions
  for each row when (new.closed and not old.closed) execute function settle_batch_row();

-- Facts that others look up (a new session, a status, an override, a session that is gone) are announced in their own
-- transaction. Appends are not: NOTIFY holds a lock for the whole commit.
create or replace trigger sessions_created after insert on sessions
  for each row execute function announce_session();
create or replace trigger sessions_changed after update on sessions
  for each row when (old.status is distinct from new.status or old.closed is distinct from new.closed
    or old.error is distinct from new.error or old.expired_at is distinct from new.expired_at
    or old.module_overrides is distinct from new.module_overrides)
  execute function announce_session();
create or replace trigger sessions_replanned after update of plan on sessions
  for each row execute function announce_session();
create or replace trigger sessions_deleted after delete on sessions
  for each row execute function announce_session();

-- Reports to webhooks are entered in the transaction in which something happens, so that no death of a process loses one.
create or replace trigger approvals_reported after insert or update of status on approvals
  for each row execute function report_approval();
create or replace trigger sessions_reported after update on sessions
  for each row when (new.plan->'config' ? 'webhook'
    and (old.waiting_for is distinct from new.waiting_for or new.closed and not old.closed))
  execute function report_session();
create or replace trigger sessions_failed after update on sessions
  for each row when (new.plan->'config' ? 'report' and new.closed and not old.closed and new.status = 'FAILED')
  execute function report_failure();
create or replace trigger batches_failed after update of ended_at on batches
  for each row when (new.report is not null and old.ended_at is null and new.ended_at is not null)
  execute function report_batch();
create or replace trigger proposals_promoted after update of status on recipe_versions
  for each row when (old.status = 'proposed' and new.status <> 'proposed') execute function report_recipe();
create or replace trigger proposals_forgotten after delete on recipe_versions
  for each row when (old.status = 'proposed') execute function report_recipe();

create or replace trigger sessions_plan before update of plan on sessions
  for each row execute function rename_plan();
