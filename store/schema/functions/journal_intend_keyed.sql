-- journal_intend, and the key that the command's requests will carry.
create or replace function journal_intend_keyed(p_session text, p_guard jsonb, p_command jsonb, p_records jsonb, p_key text)
returns bigint language plpgsql as $$
declare seq bigint;
begin
  seq := journal_intend(p_session, p_guard, p_command, p_records);
  update commands set idempotency_key = p_key
  where session_id = p_session and command_id = p_command->>'commandId';
  return seq;
end $$;
