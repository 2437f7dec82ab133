-- Writes the outcome of one command and the intent of the next in one commit. Null: paused, the intent was not taken.
create or replace function journal_advance(p_session text, p_guard jsonb, p_outcome jsonb, p_records jsonb, p_variable jsonb,
  p_next jsonb, p_next_records jsonb) returns bigint language plpgsql as $$
declare s sessions;
begin
  s := guarded_session(p_session, p_guard);
  perform journal_finish(p_session, '{}', p_outcome, p_records, p_variable);
  if s.paused then return null; end if;
  return journal_intend(p_session, '{}', p_next, p_next_records);
end $$;
