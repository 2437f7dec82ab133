-- Enters the end of every open question of a session that has these facts, once for each.
create or replace function report_answer(p_session text, p_facts jsonb, p_ending jsonb) returns void language sql as $$
  insert into webhook_deliveries (delivery_id, session_id, question, ending, closes)
  select asked.delivery_id || '-end', p_session, asked.question, jsonb_strip_nulls(p_ending), asked.delivery_id
  from webhook_deliveries asked
  where asked.session_id = p_session and asked.question @> p_facts and asked.closes is null
  on conflict do nothing
$$;
