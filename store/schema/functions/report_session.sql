-- Enters what a session waits for, that it waits for it no more, and its end, for its webhook. A recipe that it has learnt
-- still waits for a person when the session has ended.
create or replace function report_session() returns trigger language plpgsql as $$
declare
  has_ended boolean := new.closed and not old.closed;
begin
  if old.waiting_for is distinct from new.waiting_for then
    if old.waiting_for is not null then
      perform report_answer(new.session_id, jsonb_build_object('pausedFor', old.waiting_for->'pausedFor'),
        jsonb_build_object('how', case when has_ended then 'cancelled'
          when old.waiting_for->>'pausedFor' = 'secret' and not exists (
            select from control_messages where session_id = new.session_id and name = 'answerSecret' and state <> 'refused'
              and input::jsonb->>'questionId' = old.waiting_for->'secret'->>'questionId') then 'expired'
          else 'answered' end));
    end if;
    if new.waiting_for is not null and not new.closed then
      perform report_question(new.session_id, new.waiting_for);
    end if;
  end if;
  if has_ended then
    perform report_answer(new.session_id, jsonb_build_object('pausedFor', kind), '{"how": "cancelled"}')
    from unnest(array['approval', new.waiting_for->>'pausedFor']) as kind where kind is not null;
    insert into webhook_deliveries (delivery_id, session_id) values (new.session_id || '-end', new.session_id)
    on conflict do nothing;
  end if;
  return null;
end $$;
