-- Enters that a person is asked, where the session has a webhook.
create or replace function report_question(p_session text, p_question jsonb) returns void language sql as $$
  insert into webhook_deliveries (delivery_id, session_id, question)
  select p_session || '-question-' || gen_random_uuid(), p_session, p_question
  from sessions where session_id = p_session and plan->'config' ? 'webhook'
$$;
