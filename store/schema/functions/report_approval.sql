-- Enters a call that waits for a person, and its answer, for the webhook of its session.
create or replace function report_approval() returns trigger language plpgsql as $$
declare
  facts jsonb := jsonb_build_object('pausedFor', 'approval', 'approvalId', new.approval_id);
  was_pending boolean := tg_op = 'UPDATE' and old.status = 'pending';
begin
  if new.status = 'pending' and not was_pending then
    perform report_question(new.session_id, jsonb_strip_nulls(facts || jsonb_build_object(
      'toolName', new.approval->'toolName', 'title', new.approval->'card'->'title', 'stepIndex', new.approval->'stepIndex',
      'expiresAt', new.approval->'expiresAt')));
  elsif was_pending and new.status <> 'pending' then
    perform report_answer(new.session_id, facts, jsonb_build_object(
      'how', new.status, 'by', new.approval->'by', 'reason', new.approval->'reason'));
  end if;
  return null;
end $$;
